//! Trusted input: keyboard, mouse, drag and drop, input methods.

use serde_json::Value;

use super::{Done, commands, messages};

commands! {
    DispatchKeyEvent = "Input.dispatchKeyEvent" {
        r#type: KeyEventKind,
        modifiers: u32,
        key: Option<String>,
        code: Option<String>,
        windows_virtual_key_code: Option<u32>,
        location: Option<u32>,
        auto_repeat: Option<bool>,
        text: Option<String>,
        unmodified_text: Option<String>,
        /// Editing commands of the browser that the event executes, such as `paste`.
        commands: Option<Vec<&'static str>>,
    } -> Done;
    InsertText<'a> = "Input.insertText" { text: &'a str } -> Done;
    ImeSetComposition<'a> = "Input.imeSetComposition" {
        text: &'a str,
        selection_start: usize,
        selection_end: usize,
    } -> Done;
    DispatchMouseEvent = "Input.dispatchMouseEvent" {
        r#type: MouseEventKind,
        x: f64,
        y: f64,
        button: Option<&'static str>,
        buttons: u32,
        click_count: u32,
        modifiers: u32,
        delta_x: Option<f64>,
        delta_y: Option<f64>,
    } -> Done;
    DispatchDragEvent<'a> = "Input.dispatchDragEvent" {
        r#type: DragEventKind,
        x: f64,
        y: f64,
        data: &'a Value,
        modifiers: u32,
    } -> Done;
    SetInterceptDrags = "Input.setInterceptDrags" { enabled: bool } -> Done;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyEventKind {
    /// Goes down and writes.
    KeyDown,
    /// Goes down and writes nothing.
    RawKeyDown,
    KeyUp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum MouseEventKind {
    MouseMoved,
    MousePressed,
    MouseReleased,
    MouseWheel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DragEventKind {
    DragEnter,
    DragOver,
    Drop,
    DragCancel,
}

messages! {
    /// The page drags something, and the browser hands it over instead of dragging it itself.
    DragIntercepted {
        /// Opaque: it goes back to the browser as it came.
        data: Value,
    }
}
