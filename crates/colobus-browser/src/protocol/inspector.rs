//! The end of a page.

use super::{Done, commands, messages};

commands! {
    Enable = "Inspector.enable" {} -> Done;
}

messages! {
    TargetCrashed {}
    Detached {}
}
