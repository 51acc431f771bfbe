//! Elements, by the numbers that the browser gives them.

use super::runtime::RemoteObject;
use super::{Done, commands, messages};

commands! {
    Enable = "DOM.enable" {} -> Done;
    /// The element that a frame is in.
    GetFrameOwner<'a> = "DOM.getFrameOwner" { frame_id: &'a str } -> FrameOwner;
    ResolveNode = "DOM.resolveNode" { backend_node_id: i64 } -> Resolved;
    DescribeNode<'a> = "DOM.describeNode" { object_id: &'a str } -> Description;
    SetFileInputFiles<'a> = "DOM.setFileInputFiles" { files: &'a [String], object_id: &'a str } -> Done;
}

messages! {
    FrameOwner { backend_node_id: i64 }
    Resolved { object: RemoteObject }
    Description { node: Node }
    Node {
        /// The frame that the element shows, if it is the element of a frame.
        frame_id: Option<String>,
    }
}
