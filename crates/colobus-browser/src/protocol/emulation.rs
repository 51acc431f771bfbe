//! Sizes and the focus of pages that nobody sits in front of.

use super::{Done, commands};

commands! {
    SetDeviceMetricsOverride = "Emulation.setDeviceMetricsOverride" {
        width: u32,
        height: u32,
        device_scale_factor: u32,
        mobile: bool,
    } -> Done;
    SetFocusEmulationEnabled = "Emulation.setFocusEmulationEnabled" { enabled: bool } -> Done;
}
