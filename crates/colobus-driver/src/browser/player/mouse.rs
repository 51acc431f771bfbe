//! The mouse.

use std::sync::Arc;

use colobus_record::{Mouse, Point, Who};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::locate::Wants;
use super::{Performed, Player, Pressed, Stop};
use crate::browser::windows::Tab;

impl Player<'_> {
    pub(super) async fn press(&mut self, who: Who, mouse: &Mouse, count: u32) -> Performed {
        let again = self.hurries.then(|| self.clicked.remove(&who)).flatten().filter(|last| last.mouse == *mouse);
        let (tab, place) = match again {
            // Once more at the same place, without a look: the page may be leaving already.
            Some(last) => (self.tab(who).await?, last.place),
            None => {
                let found = self.locate(who, &mouse.on, Some(mouse.at), Wants::Hit).await?;
                found.ask("forgetDrag", &[]).await?;
                dispatch(&found.tab, "mouseMoved", found.place, None, mouse, 0).await?;
                (found.tab, found.place)
            }
        };
        dispatch(&tab, "mousePressed", place, Some(mouse), mouse, count).await?;
        self.pressed.insert(who, Pressed { mouse: mouse.clone(), place, now: place });
        Ok(())
    }

    pub(super) async fn move_by(&mut self, who: Who, by: Point) -> Performed {
        let Some(pressed) = self.pressed.get_mut(&who) else {
            return Err(Stop::Impossible("no button is down".to_string()));
        };
        let place = Point { x: pressed.place.x + by.x, y: pressed.place.y + by.y };
        pressed.now = place;
        let mouse = pressed.mouse.clone();
        let tab = self.tab(who).await?;
        dispatch(&tab, "mouseMoved", place, Some(&mouse), &mouse, 1).await
    }

    pub(super) async fn release(&mut self, who: Who, mouse: &Mouse, count: u32) -> Performed {
        let pressed = self.pressed.remove(&who);
        let tab = self.tab(who).await?;
        let place = match pressed {
            // Where it went down, also when pressing has changed the page.
            Some(pressed) if pressed.mouse == *mouse => pressed.place,
            pressed => {
                let place = self.locate(who, &mouse.on, Some(mouse.at), Wants::Visible).await?.place;
                let is_there = pressed.is_some_and(|pressed| near(pressed.now, place));
                if !is_there {
                    dispatch(&tab, "mouseMoved", place, Some(mouse), mouse, 1).await?;
                }
                place
            }
        };
        self.clicked.insert(who, Pressed { mouse: mouse.clone(), place, now: place });
        dispatch(&tab, "mouseReleased", place, Some(mouse), mouse, count).await
    }

    /// Ends a drag that the browser has taken over. The moves are answered by the page, what it drags is told by the
    /// browser, and either may come first.
    pub(super) async fn drop_on(&mut self, who: Who, mouse: &Mouse) -> Performed {
        self.pressed.remove(&who);
        let found = self.locate(who, &mouse.on, Some(mouse.at), Wants::Visible).await?;
        let tab = found.tab;
        let told = self.windows.shared.until(|_| tab.take_drag());
        let none = |_| Stop::Impossible("nothing is being dragged".to_string());
        let data = timeout(self.options.patience, told).await.map_err(none)?;
        for kind in ["dragEnter", "dragOver", "drop"] {
            let event = json!({ "type": kind, "x": found.place.x, "y": found.place.y, "data": data, "modifiers": mouse.held.bits() });
            tab.call("Input.dispatchDragEvent", event).await?;
        }
        dispatch(&tab, "mouseReleased", found.place, Some(mouse), mouse, 1).await
    }

    pub(super) async fn abandon(&mut self, who: Who) -> Performed {
        let tab = self.tab(who).await?;
        let Some(Pressed { mouse, place, .. }) = self.pressed.remove(&who) else { return Ok(()) };
        if let Some(data) = tab.take_drag() {
            let event = json!({ "type": "dragCancel", "x": place.x, "y": place.y, "data": data });
            tab.call("Input.dispatchDragEvent", event).await?;
        }
        dispatch(&tab, "mouseReleased", place, Some(&mouse), &mouse, 1).await
    }
}

/// One event of the mouse; `holding` is the button that is, or has been, down.
async fn dispatch(
    tab: &Arc<Tab>,
    kind: &str,
    place: Point,
    holding: Option<&Mouse>,
    mouse: &Mouse,
    count: u32,
) -> Performed {
    let button = holding.map_or("none", |mouse| mouse.button.name());
    let buttons = holding.filter(|_| kind != "mouseReleased").map_or(0, |mouse| mouse.button.bit());
    let event: Value = json!({
        "type": kind, "x": place.x, "y": place.y, "button": button, "buttons": buttons,
        "clickCount": if kind == "mouseMoved" { 0 } else { count }, "modifiers": mouse.held.bits(),
    });
    tab.call("Input.dispatchMouseEvent", event).await?;
    Ok(())
}

/// Not further apart than what is written of a place.
fn near(one: Point, other: Point) -> bool {
    (one.x - other.x).abs() < 0.5 && (one.y - other.y).abs() < 0.5
}
