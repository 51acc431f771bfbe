//! [`Program`]: everything that must be computed to compare the traces of one causal order, each distinct
//! transformation and each distinct intermediate document once, arranged by the last operation it depends on.

use std::collections::HashMap;

use crate::operation::OpSet;
use crate::order::CausalOrder;

/// One form of one operation within a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormId(pub usize);

/// One document within a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId(pub usize);

/// How a form comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// As generated.
    Original(u8),
    /// The first, transformed to follow the second.
    Transformed(FormId, FormId),
}

/// How a document comes about: the starting one, or another one after a form was executed on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Text {
    /// What all sites start from.
    Start,
    /// A document after one more operation.
    After(TextId, FormId),
}

/// A straight-line program. `G` says what is asked of its results.
#[derive(Clone, Debug)]
pub struct Program<G> {
    /// The causal order it belongs to.
    pub order: CausalOrder,
    /// All forms; operands come before results.
    pub forms: Vec<Form>,
    /// All documents; operands come before results.
    pub texts: Vec<Text>,
    /// The operations in the order in which signatures are assigned, each with what can then be computed.
    pub levels: Vec<Level>,
    /// The question.
    pub goal: G,
}

/// What becomes known when one more operation has its signature.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// The operation.
    pub operation: u8,
    /// Its original form.
    pub original: FormId,
    /// Transformations to compute.
    pub forms: Vec<(FormId, FormId, FormId)>,
    /// Documents to compute.
    pub texts: Vec<(TextId, TextId, FormId)>,
}

impl<G> Program<G> {
    /// How many distinct transformations it computes.
    pub fn transformations(&self) -> usize {
        self.forms.iter().filter(|form| matches!(form, Form::Transformed(..))).count()
    }
}

/// Collects the forms and documents of a program; equal ones are shared.
pub struct Builder {
    order: CausalOrder,
    forms: Shared<Form>,
    texts: Shared<Text>,
    histories: HashMap<Vec<u8>, Vec<FormId>>,
}

/// Things that are kept once.
struct Shared<K> {
    items: Vec<K>,
    known: HashMap<K, usize>,
}

impl<K: Copy + Eq + std::hash::Hash> Shared<K> {
    fn new() -> Self {
        Shared { items: Vec::new(), known: HashMap::new() }
    }

    fn add(&mut self, item: K) -> usize {
        *self.known.entry(item).or_insert_with(|| {
            self.items.push(item);
            self.items.len() - 1
        })
    }
}

impl Builder {
    /// A program about this order, empty yet.
    pub fn new(order: &CausalOrder) -> Self {
        let mut texts = Shared::new();
        texts.add(Text::Start);
        Builder { order: order.clone(), forms: Shared::new(), texts, histories: HashMap::new() }
    }

    /// The order it is about.
    pub fn order(&self) -> &CausalOrder {
        &self.order
    }

    /// The starting document.
    pub fn start(&self) -> TextId {
        TextId(0)
    }

    /// An operation as generated.
    pub fn original(&mut self, operation: u8) -> FormId {
        FormId(self.forms.add(Form::Original(operation)))
    }

    /// IT(a, b).
    pub fn transform(&mut self, a: FormId, b: FormId) -> FormId {
        FormId(self.forms.add(Form::Transformed(a, b)))
    }

    /// IT*(a, sequence).
    pub fn transform_all(&mut self, a: FormId, sequence: &[FormId]) -> FormId {
        sequence.iter().fold(a, |form, &other| self.transform(form, other))
    }

    /// A document after one more operation.
    pub fn execute(&mut self, text: TextId, form: FormId) -> TextId {
        TextId(self.texts.add(Text::After(text, form)))
    }

    /// The starting document after a sequence of forms.
    pub fn execute_all(&mut self, forms: &[FormId]) -> TextId {
        forms.iter().fold(self.start(), |text, &form| self.execute(text, form))
    }

    /// The form an operation takes when it is integrated after a history.
    ///
    /// The history is rearranged into what happened before the operation and what is concurrent with it, both in local
    /// order; the forms of the rearranged history are computed from the original operations, and the operation is
    /// transformed along the concurrent part.
    pub fn integrate(&mut self, operation: u8, history: &[u8]) -> FormId {
        let before = self.order.before[usize::from(operation)];
        let (mut sequence, concurrent): (Vec<u8>, Vec<u8>) = history.iter().partition(|&&o| before.contains(o));
        let split = sequence.len();
        sequence.extend(concurrent);
        let forms = self.history(&sequence);
        let original = self.original(operation);
        self.transform_all(original, &forms[split..])
    }

    /// The forms in which a site executes a sequence of operations.
    pub fn history(&mut self, sequence: &[u8]) -> Vec<FormId> {
        let Some((&last, earlier)) = sequence.split_last() else {
            return Vec::new();
        };
        if let Some(known) = self.histories.get(sequence) {
            return known.clone();
        }
        let mut forms = self.history(earlier);
        let form = self.integrate(last, earlier);
        forms.push(form);
        self.histories.insert(sequence.to_vec(), forms.clone());
        forms
    }

    /// Close the program with its question.
    pub fn finish<G>(mut self, goal: G) -> Program<G> {
        let count = self.order.len();
        let originals: Vec<FormId> = (0..count as u8).map(|operation| self.original(operation)).collect();
        let (forms, texts) = (self.forms.items, self.texts.items);
        let (form_needs, text_needs) = needs(&forms, &texts);
        let sequence = assignment_order(&self.order, &form_needs, &text_needs);
        let mut levels: Vec<Level> = sequence
            .iter()
            .map(|&operation| Level { operation, original: originals[usize::from(operation)], ..Level::default() })
            .collect();
        let level_of = |needs: OpSet| sequence.iter().rposition(|&o| needs.contains(o)).unwrap_or(0);
        for (index, form) in forms.iter().enumerate() {
            if let Form::Transformed(a, b) = *form {
                levels[level_of(form_needs[index])].forms.push((FormId(index), a, b));
            }
        }
        for (index, text) in texts.iter().enumerate() {
            if let Text::After(text, form) = *text {
                levels[level_of(text_needs[index])].texts.push((TextId(index), text, form));
            }
        }
        Program { order: self.order, forms, texts, levels, goal }
    }
}

/// Which operations each form and each document depends on.
fn needs(forms: &[Form], texts: &[Text]) -> (Vec<OpSet>, Vec<OpSet>) {
    let mut form_needs: Vec<OpSet> = Vec::with_capacity(forms.len());
    for form in forms {
        form_needs.push(match *form {
            Form::Original(operation) => OpSet::default().with(operation),
            Form::Transformed(a, b) => form_needs[a.0].union(form_needs[b.0]),
        });
    }
    let mut text_needs: Vec<OpSet> = Vec::with_capacity(texts.len());
    for text in texts {
        text_needs.push(match *text {
            Text::Start => OpSet::default(),
            Text::After(text, form) => text_needs[text.0].union(form_needs[form.0]),
        });
    }
    (form_needs, text_needs)
}

/// A causal sequence of the operations in which those that little depends on come last, where the work is repeated most.
fn assignment_order(order: &CausalOrder, form_needs: &[OpSet], text_needs: &[OpSet]) -> Vec<u8> {
    let dependents = |operation: u8| form_needs.iter().chain(text_needs).filter(|n| n.contains(operation)).count();
    let mut left = OpSet::first(order.len());
    let mut sequence = Vec::new();
    while !left.is_empty() {
        let maximal = left.iter().filter(|&o| left.iter().all(|other| !order.precedes(o, other)));
        let Some(last) = maximal.min_by_key(|&o| (dependents(o), o)) else {
            break;
        };
        left = left.without(OpSet::default().with(last));
        sequence.insert(0, last);
    }
    sequence
}
