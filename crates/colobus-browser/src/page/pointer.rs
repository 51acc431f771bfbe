//! The mouse, and drag and drop.

use std::time::Duration;

use colobus_world::WorldError;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;

use super::Page;
use crate::protocol::input::{DispatchDragEvent, DispatchMouseEvent, DragEventKind, MouseEventKind};
use crate::protocol::{Done, Reply, dom};

/// Outside of the page, so that hovering never makes a difference between clients.
const OUTSIDE: Place = Place { x: -10.0, y: -10.0 };
/// Moves between the ends of a drag; pages take a single jump for no drag.
const DRAG_MOVES: u32 = 5;

/// A place in the window of a page, in pixels from its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
pub struct Place {
    pub x: f64,
    pub y: f64,
}

/// One event of the mouse.
#[derive(Clone, Copy, Debug)]
pub struct MouseAction {
    pub kind: MouseEventKind,
    pub place: Place,
    /// The button that is down, goes down or comes up.
    pub button: &'static str,
    /// The buttons that are down afterwards: left 1, right 2, middle 4.
    pub buttons: u32,
    pub clicks: u32,
    /// The modifiers that are held: Alt 1, Control 2, Meta 4, Shift 8.
    pub modifiers: u32,
}

impl MouseAction {
    /// The mouse moves, without a button or modifier.
    pub fn move_to(place: Place) -> MouseAction {
        MouseAction { kind: MouseEventKind::MouseMoved, place, button: "none", buttons: 0, clicks: 0, modifiers: 0 }
    }

    fn left(kind: MouseEventKind, place: Place, clicks: u32) -> MouseAction {
        let buttons = u32::from(kind != MouseEventKind::MouseReleased);
        MouseAction { kind, place, button: "left", buttons, clicks, modifiers: 0 }
    }

    fn command(self) -> DispatchMouseEvent {
        DispatchMouseEvent {
            r#type: self.kind,
            x: self.place.x,
            y: self.place.y,
            button: Some(self.button),
            buttons: self.buttons,
            click_count: self.clicks,
            modifiers: self.modifiers,
            delta_x: None,
            delta_y: None,
        }
    }
}

impl Page {
    /// One event of the mouse.
    pub async fn mouse(&self, action: MouseAction) -> Result<(), WorldError> {
        self.call(action.command()).await.map(|_| ())
    }

    fn send_mouse(&self, action: MouseAction) -> Reply<Done> {
        self.session.send(action.command())
    }

    /// Clicks so many times, then moves the mouse outside of the page.
    pub async fn click(&self, place: Place, times: u32) -> Result<(), WorldError> {
        let mut replies = vec![self.send_mouse(MouseAction::move_to(place))];
        for time in 1..=times {
            replies.push(self.send_mouse(MouseAction::left(MouseEventKind::MousePressed, place, time)));
            replies.push(self.send_mouse(MouseAction::left(MouseEventKind::MouseReleased, place, time)));
        }
        replies.push(self.send_mouse(MouseAction::move_to(OUTSIDE)));
        self.all_done(replies).await
    }

    /// Drags from one place to another, then moves the mouse outside of the page.
    pub async fn drag(&self, start: Place, end: Place) -> Result<(), WorldError> {
        self.take_drag();
        let mut replies = vec![
            self.send_mouse(MouseAction::move_to(start)),
            self.send_mouse(MouseAction::left(MouseEventKind::MousePressed, start, 1)),
        ];
        for step in 1..=DRAG_MOVES {
            let part = f64::from(step) / f64::from(DRAG_MOVES);
            let between = Place { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
            replies.push(self.send_mouse(MouseAction::left(MouseEventKind::MouseMoved, between, 1)));
        }
        self.all_done(replies).await?;
        // The moves are answered by the page, what it drags is told by the browser, and either may come first: so the page
        // is asked whether there is anything to wait for.
        if self.ask("input.dragging", &[]).await? == Value::Bool(true)
            && let Some(data) = self.dragged(self.limit).await
        {
            for kind in [DragEventKind::DragEnter, DragEventKind::DragOver, DragEventKind::Drop] {
                self.drag_event(kind, end, &data, 0).await?;
            }
            self.take_drag();
        }
        self.all_done(vec![
            self.send_mouse(MouseAction::left(MouseEventKind::MouseReleased, end, 1)),
            self.send_mouse(MouseAction::move_to(OUTSIDE)),
        ])
        .await
    }

    /// One event of something that the page drags.
    pub async fn drag_event(
        &self,
        kind: DragEventKind,
        place: Place,
        data: &Value,
        modifiers: u32,
    ) -> Result<(), WorldError> {
        let event = DispatchDragEvent { r#type: kind, x: place.x, y: place.y, data, modifiers };
        self.call(event).await.map(|_| ())
    }

    /// What the page has begun to drag; waits until the browser has said it, the page has ended, or the limit is over.
    pub async fn dragged(&self, limit: Duration) -> Option<Value> {
        let told = self.events.until(|state| if state.ended { Some(None) } else { state.drag.clone().map(Some) });
        timeout(limit, told).await.ok().flatten()
    }

    /// What the page drags at the moment.
    pub fn current_drag(&self) -> Option<Value> {
        self.events.state().drag.clone()
    }

    /// Ends what the page drags.
    pub fn take_drag(&self) -> Option<Value> {
        self.events.state().drag.take()
    }

    /// Turns the wheel of the mouse.
    pub async fn wheel(&self, place: Place, delta: Place) -> Result<(), WorldError> {
        let still = MouseAction { kind: MouseEventKind::MouseWheel, ..MouseAction::move_to(place) };
        let turn = DispatchMouseEvent { delta_x: Some(delta.x), delta_y: Some(delta.y), ..still.command() };
        self.call(turn).await.map(|_| ())
    }

    /// Chooses files in the field that the handle stands for.
    pub async fn choose_files(&self, field: &str, files: &[String]) -> Result<(), WorldError> {
        self.call(dom::SetFileInputFiles { files, object_id: field }).await.map(|_| ())
    }
}
