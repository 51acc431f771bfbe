//! [`Listener`]: what a pump tells the tap of the messages that it moves.

/// Follows one direction of one connection. Messages are delivered in the order in which they opened.
pub(crate) trait Listener: Send {
    /// A message begins to arrive.
    fn opens(&mut self);
    /// More bytes of the message, framing included.
    fn bytes(&mut self, bytes: &[u8]);
    /// The oldest message that waited went to its receiver, or into the void if that has left.
    fn delivered(&mut self, received: bool);
    /// The newest message went without waiting: those before it that were not delivered are lost.
    fn passed(&mut self, received: bool);
}
