//! What a user does with the mouse. It is parked outside of the page afterwards, so that hovering never makes a
//! difference between clients.

use colobus_model::{Inside, Point, Target};
use serde_json::{Value, json};

use super::client::{Client, Evaluated};
use super::protocol::Reply;
use super::scripts;
use colobus_world::{StepOutcome, WorldError};

const PARKED: Place = Place { x: -10.0, y: -10.0 };
/// Moves between the ends of a drag; pages take a single jump for no drag.
const DRAG_MOVES: u32 = 5;

#[derive(Clone, Copy)]
struct Place {
    x: f64,
    y: f64,
}

impl Client {
    pub(super) async fn click(&self, target: &Target, times: u32) -> Result<StepOutcome, WorldError> {
        let place = match self.place(target).await? {
            Ok(place) => place,
            Err(problem) => return Ok(StepOutcome::NotApplicable(problem)),
        };
        let mut replies = vec![self.mouse("mouseMoved", place, 0)];
        for time in 1..=times {
            replies.push(self.mouse("mousePressed", place, time));
            replies.push(self.mouse("mouseReleased", place, time));
        }
        replies.push(self.mouse("mouseMoved", PARKED, 0));
        self.all_done(replies).await
    }

    pub(super) async fn drag(&self, from: &Target, to: &Target) -> Result<StepOutcome, WorldError> {
        let (start, end) = match (self.place(from).await?, self.place(to).await?) {
            (Ok(start), Ok(end)) => (start, end),
            (Err(problem), _) | (_, Err(problem)) => return Ok(StepOutcome::NotApplicable(problem)),
        };
        // The system's own drag and drop would wait for a mouse that does not exist.
        let intercept = |enabled| self.session.send("Input.setInterceptDrags", json!({ "enabled": enabled }));
        let mut replies =
            vec![intercept(true), self.mouse("mouseMoved", start, 0), self.mouse("mousePressed", start, 1)];
        for step in 1..=DRAG_MOVES {
            let part = f64::from(step) / f64::from(DRAG_MOVES);
            let between = Place { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
            replies.push(self.mouse("mouseMoved", between, 1));
        }
        self.all_done(replies).await?;
        if let Some(data) = self.dragged().await? {
            for kind in ["dragEnter", "dragOver", "drop"] {
                let event = json!({ "type": kind, "x": end.x, "y": end.y, "data": data });
                self.all_done(vec![self.session.send("Input.dispatchDragEvent", event)]).await?;
            }
        }
        self.all_done(vec![self.mouse("mouseReleased", end, 1), self.mouse("mouseMoved", PARKED, 0), intercept(false)])
            .await
    }

    /// What the page drags, if it does. The moves are answered by the page, what it drags is told by the browser, and
    /// either may come first: so the page is asked whether there is anything to wait for.
    async fn dragged(&self) -> Result<Option<Value>, WorldError> {
        if self.ask("input.dragging", &[]).await? != Value::Bool(true) {
            return Ok(None);
        }
        Ok(tokio::time::timeout(self.limit(), self.record.dragged()).await.ok().flatten())
    }

    fn mouse(&self, kind: &str, place: Place, clicks: u32) -> Reply {
        let button = if clicks > 0 { "left" } else { "none" };
        let buttons = u32::from(clicks > 0 && kind != "mouseReleased");
        let event = json!({
            "type": kind, "x": place.x, "y": place.y, "button": button, "buttons": buttons, "clickCount": clicks,
        });
        self.session.send("Input.dispatchMouseEvent", event)
    }

    /// Where a target is; `Err` with the reason if it is nowhere.
    async fn place(&self, target: &Target) -> Result<Result<Place, String>, WorldError> {
        let (selector, at) = match target {
            Target::Point(Point { x, y }) => return Ok(Ok(Place { x: f64::from(*x), y: f64::from(*y) })),
            Target::Selector(selector) => (selector, Value::Null),
            Target::Inside(Inside { on, x, y }) => (on, json!({ "x": x, "y": y })),
        };
        let locate = scripts::call("input.locate", &[json!(selector), at]);
        Ok(match self.evaluate(&locate, self.limit()).await? {
            Evaluated::Threw(message) => Err(message),
            Evaluated::Value(value) => match (value["x"].as_f64(), value["y"].as_f64()) {
                (Some(x), Some(y)) => Ok(Place { x, y }),
                _ => Err(problem(&value)),
            },
        })
    }
}

fn problem(answer: &Value) -> String {
    answer["problem"].as_str().unwrap_or("its target cannot be found").to_string()
}
