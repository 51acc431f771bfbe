//! The mouse.

use std::sync::Arc;
use std::time::Duration;

use colobus_browser::{DragEventKind, MouseAction, MouseEventKind, Place, scripts};
use colobus_record::{Mouse, Point, Who};
use serde_json::Value;
use tokio::time::Instant;

use super::locate::Wants;
use super::{LastPress, Performed, Player, Pressed, Stop};
use crate::session::tab::Tab;

/// Clicks that are closer to each other than this, in time and pixels, are taken for a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(510);
const DOUBLE_CLICK_REACH: f64 = 15.0;

impl Player<'_> {
    pub(super) async fn press(&mut self, who: Who, mouse: &Mouse, count: u32) -> Performed {
        let again = self.hurries.then(|| self.clicked.remove(&who)).flatten().filter(|last| last.mouse == *mouse);
        let (tab, place, context) = match again {
            // Once more at the same place, without a look: the page may be leaving already.
            Some(last) => (self.tab(who).await?, last.place, last.context),
            None => {
                let found = self.locate(who, &mouse.on, Some(mouse.at), Wants::Hit).await?;
                found.ask("forgetDrag", &[]).await?;
                dispatch(&found.tab, MouseEventKind::MouseMoved, found.place, None, mouse, 0).await?;
                (found.tab, found.place, found.context)
            }
        };
        if count == 1 {
            self.keep_clicks_apart(who, place).await;
        }
        dispatch(&tab, MouseEventKind::MousePressed, place, Some(mouse), mouse, count).await?;
        self.last_press.insert(who, LastPress { place, at: Instant::now(), index: self.index });
        self.pressed.insert(who, Pressed { mouse: mouse.clone(), place, now: place, context, carries: false });
        Ok(())
    }

    /// Pages may count clicks by themselves: what was no double click must not become one because replaying is faster.
    async fn keep_clicks_apart(&self, who: Who, place: Point) {
        let Some(last) = self.last_press.get(&who).filter(|last| distance(last.place, place) < DOUBLE_CLICK_REACH)
        else {
            return;
        };
        let between = self.recording.lines.get(last.index + 1..=self.index).unwrap_or_default();
        let recorded = between.iter().map(|line| line.after_ms).fold(0, u64::saturating_add);
        if Duration::from_millis(recorded) >= DOUBLE_CLICK {
            tokio::time::sleep_until(last.at + DOUBLE_CLICK).await;
        }
    }

    pub(super) async fn move_by(&mut self, who: Who, by: Point) -> Performed {
        let Some(mut pressed) = self.pressed.remove(&who) else {
            return Err(Stop::Impossible("no button is down".to_string()));
        };
        let tab = self.tab(who).await?;
        pressed.now = Point { x: pressed.place.x + by.x, y: pressed.place.y + by.y };
        match tab.page.current_drag() {
            Some(data) => carry(&tab, &mut pressed, &data).await?,
            None => {
                dispatch(&tab, MouseEventKind::MouseMoved, pressed.now, Some(&pressed.mouse), &pressed.mouse, 1)
                    .await?;
                let dragging = scripts::call("player.dragging", &[]);
                if tab.page.value_in(Some(pressed.context), &dragging).await? == Value::Bool(true) {
                    self.begun_drag(&tab).await?;
                }
            }
        }
        self.pressed.insert(who, pressed);
        Ok(())
    }

    pub(super) async fn release(&mut self, who: Who, mouse: &Mouse, count: u32) -> Performed {
        let pressed = self.pressed.remove(&who);
        let pressed_in = pressed.as_ref().map(|pressed| pressed.context);
        let tab = self.tab(who).await?;
        let place = match pressed {
            // Where it went down, also when pressing has changed the page.
            Some(pressed) if pressed.mouse == *mouse => pressed.place,
            pressed => {
                let place = self.locate(who, &mouse.on, Some(mouse.at), Wants::Visible).await?.place;
                let is_there = pressed.is_some_and(|pressed| near(pressed.now, place));
                if !is_there {
                    dispatch(&tab, MouseEventKind::MouseMoved, place, Some(mouse), mouse, 1).await?;
                }
                place
            }
        };
        let context = pressed_in.unwrap_or_default();
        self.clicked.insert(who, Pressed { mouse: mouse.clone(), place, now: place, context, carries: false });
        dispatch(&tab, MouseEventKind::MouseReleased, place, Some(mouse), mouse, count).await
    }

    /// What is being dragged, as the browser tells; the page may know before.
    async fn begun_drag(&self, tab: &Tab) -> Performed<Value> {
        let dragged = tab.page.dragged(self.options.patience).await;
        dragged.ok_or_else(|| Stop::Impossible("nothing is being dragged".to_string()))
    }

    /// Ends a drag that the browser has taken over.
    pub(super) async fn drop_on(&mut self, who: Who, mouse: &Mouse) -> Performed {
        let Some(mut pressed) = self.pressed.remove(&who) else {
            return Err(Stop::Impossible("nothing is being dragged".to_string()));
        };
        let found = self.locate(who, &mouse.on, Some(mouse.at), Wants::Visible).await?;
        let tab = found.tab;
        let data = self.begun_drag(&tab).await?;
        pressed.now = found.place;
        pressed.mouse.held = mouse.held;
        carry(&tab, &mut pressed, &data).await?;
        drag_event(&tab, DragEventKind::Drop, &pressed, &data).await?;
        tab.page.take_drag();
        dispatch(&tab, MouseEventKind::MouseReleased, found.place, Some(mouse), mouse, 1).await
    }

    pub(super) async fn abandon(&mut self, who: Who) -> Performed {
        let tab = self.tab(who).await?;
        let Some(pressed) = self.pressed.remove(&who) else { return Ok(()) };
        if let Some(data) = tab.page.take_drag() {
            drag_event(&tab, DragEventKind::DragCancel, &pressed, &data).await?;
        }
        dispatch(&tab, MouseEventKind::MouseReleased, pressed.now, Some(&pressed.mouse), &pressed.mouse, 1).await
    }
}

/// What is dragged comes to where the mouse is now.
async fn carry(tab: &Arc<Tab>, pressed: &mut Pressed, data: &Value) -> Performed {
    if !std::mem::replace(&mut pressed.carries, true) {
        drag_event(tab, DragEventKind::DragEnter, pressed, data).await?;
    }
    drag_event(tab, DragEventKind::DragOver, pressed, data).await
}

async fn drag_event(tab: &Arc<Tab>, kind: DragEventKind, pressed: &Pressed, data: &Value) -> Performed {
    Ok(tab.page.drag_event(kind, place(pressed.now), data, pressed.mouse.held.bits()).await?)
}

/// One event of the mouse; `holding` is the button that is, or has been, down.
async fn dispatch(
    tab: &Arc<Tab>,
    kind: MouseEventKind,
    at: Point,
    holding: Option<&Mouse>,
    mouse: &Mouse,
    count: u32,
) -> Performed {
    let button = holding.map_or("none", |mouse| mouse.button.name());
    let buttons = holding.filter(|_| kind != MouseEventKind::MouseReleased).map_or(0, |mouse| mouse.button.bit());
    let clicks = if kind == MouseEventKind::MouseMoved { 0 } else { count };
    let action = MouseAction { kind, place: place(at), button, buttons, clicks, modifiers: mouse.held.bits() };
    Ok(tab.page.mouse(action).await?)
}

fn place(Point { x, y }: Point) -> Place {
    Place { x, y }
}

fn distance(one: Point, other: Point) -> f64 {
    (one.x - other.x).hypot(one.y - other.y)
}

/// Not further apart than what is written of a place.
fn near(one: Point, other: Point) -> bool {
    (one.x - other.x).abs() < 0.5 && (one.y - other.y).abs() < 0.5
}
