//! [`Transformation`]: the one trait to implement for a transformation function of your own.

use crate::operation::{Kind, Op, Parameters};
use crate::signature::Signature;

/// An inclusion transformation IT(a, b): what `a` must become to follow `b`, both having been meant for the same document.
///
/// Two cases differ between the functions of the literature and must be given; the two that all of them share have
/// defaults. Override [`transform`](Self::transform) if the four cases are not how your function thinks.
///
/// ```
/// use colobus_ot::{Op, Setting, Transformation, Verdict, check_convergence, Options};
///
/// /// Ties go to the smaller site; an insert stays where it is when the character behind it disappears.
/// struct BySite;
///
/// impl Transformation for BySite {
///     type Extra = ();
///
///     fn ins_ins(&self, a: Op, b: Op) -> Op {
///         if (a.position, a.site) < (b.position, b.site) { a } else { a.right() }
///     }
///
///     fn ins_del(&self, a: Op, b: Op) -> Op {
///         if a.position <= b.position { a } else { a.left() }
///     }
/// }
///
/// // Two sites cannot tell it from a correct function ...
/// let two = check_convergence(&BySite, &Setting::spread(2, 4)?, &Options::default())?;
/// assert_eq!(two.verdict, Verdict::Holds);
///
/// // ... three can, with one operation each.
/// let three = check_convergence(&BySite, &Setting::spread(3, 3)?, &Options::default())?;
/// assert_eq!(three.verdict, Verdict::Violated);
/// # Ok::<(), colobus_ot::SettingError>(())
/// ```
pub trait Transformation: Sync {
    /// What operations carry besides position and character; `()` for nothing.
    type Extra: Parameters;

    /// Whether the document keeps deleted characters as tombstones that positions count.
    const TOMBSTONES: bool = false;

    /// Whether the result may depend on [`Op::site`]. Say `false` only if it never does: site symmetry then becomes
    /// available, which would be unsound otherwise.
    const USES_SITES: bool = true;

    /// The parameters of an operation at the moment its user generates it.
    fn parameters(&self, _signature: Signature) -> Self::Extra {
        Self::Extra::default()
    }

    /// An insert meets an insert.
    fn ins_ins(&self, a: Op<Self::Extra>, b: Op<Self::Extra>) -> Op<Self::Extra>;

    /// An insert meets a deletion.
    fn ins_del(&self, a: Op<Self::Extra>, b: Op<Self::Extra>) -> Op<Self::Extra>;

    /// A deletion meets an insert: it moves along with its character.
    #[inline(always)]
    fn del_ins(&self, a: Op<Self::Extra>, b: Op<Self::Extra>) -> Op<Self::Extra> {
        if a.position < b.position { a } else { a.right() }
    }

    /// A deletion meets a deletion: it moves along with its character, or finds it gone.
    #[inline(always)]
    fn del_del(&self, a: Op<Self::Extra>, b: Op<Self::Extra>) -> Op<Self::Extra> {
        if a.position < b.position {
            a
        } else if a.position > b.position {
            a.left()
        } else {
            a.nop()
        }
    }

    /// IT(a, b), for any kinds of operation.
    #[inline(always)]
    fn transform(&self, a: Op<Self::Extra>, b: Op<Self::Extra>) -> Op<Self::Extra> {
        match (a.kind, b.kind) {
            (Kind::Nop, _) | (_, Kind::Nop) => a,
            (Kind::Ins, Kind::Ins) => self.ins_ins(a, b),
            (Kind::Ins, Kind::Del) => self.ins_del(a, b),
            (Kind::Del, Kind::Ins) => self.del_ins(a, b),
            (Kind::Del, Kind::Del) => self.del_del(a, b),
        }
    }
}
