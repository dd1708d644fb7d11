//! What a cell showed, as a notebook file keeps it (nbformat 4): the events go on to the real front end and are kept besides.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};

use crate::session::{CellEvent, Frontend, FrontendGone, ReadLineError, Stream};

/// A front end in front of another that keeps what passes as outputs of a notebook.
pub struct KeptOutputs {
    inner: Rc<dyn Frontend>,
    outputs: RefCell<Outputs>,
}

#[derive(Default)]
struct Outputs {
    kept: Vec<Value>,
    /// Names of displays among them, by position.
    names: Vec<(usize, String)>,
    clear_next: bool,
    count: Option<u32>,
}

impl KeptOutputs {
    /// Nothing kept yet.
    pub fn new(inner: Rc<dyn Frontend>) -> KeptOutputs {
        KeptOutputs { inner, outputs: RefCell::default() }
    }

    /// The number under which the cell ran, if it began, and its outputs; the next cell starts anew.
    pub fn take(&self) -> (Option<u32>, Vec<Value>) {
        let outputs = self.outputs.take();
        (outputs.count, outputs.kept)
    }
}

impl Frontend for KeptOutputs {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        self.outputs.borrow_mut().add(&event);
        self.inner.emit(event)
    }

    fn read_line(&self, prompt: &str, hidden: bool) -> Result<String, ReadLineError> {
        self.inner.read_line(prompt, hidden)
    }

    fn width(&self) -> usize {
        self.inner.width()
    }
}

impl Outputs {
    fn add(&mut self, event: &CellEvent) {
        match event {
            CellEvent::Started { number, .. } => self.count = Some(*number),
            CellEvent::Text { stream, text } => self.text(*stream, text),
            CellEvent::Result { number, bundle } => {
                let output = json!({"output_type": "execute_result", "execution_count": number, "data": bundle.data, "metadata": bundle.metadata});
                self.push(output);
            }
            CellEvent::Display { bundle, id, is_update } => {
                let output = json!({"output_type": "display_data", "data": bundle.data, "metadata": bundle.metadata});
                let known = self.names.iter().find(|(_, name)| Some(name) == id.as_ref()).map(|(at, _)| *at);
                match (known, is_update) {
                    (Some(at), true) => self.kept[at] = output,
                    // An update of another cell's display changes nothing in this one.
                    (None, true) => {}
                    (_, false) => {
                        self.push(output);
                        if let Some(id) = id {
                            self.names.push((self.kept.len() - 1, id.clone()));
                        }
                    }
                }
            }
            CellEvent::Clear { wait } => {
                self.clear_next = *wait;
                if !wait {
                    self.clear();
                }
            }
            CellEvent::Error(error) => {
                let traceback: Vec<&str> = error.text.split('\n').collect();
                let output = json!({"output_type": "error", "ename": error.class, "evalue": error.message, "traceback": traceback});
                self.push(output);
            }
            CellEvent::Notice(markup) => self.text(Stream::Stderr, &format!("{}\n", markup.plain_text())),
        }
    }

    fn text(&mut self, stream: Stream, text: &str) {
        let name = if stream == Stream::Stdout { "stdout" } else { "stderr" };
        if !self.clear_next
            && let Some(last) = self.kept.last_mut()
            && last["output_type"] == "stream"
            && last["name"] == name
            && let Some(before) = last["text"].as_str()
        {
            last["text"] = format!("{before}{text}").into();
            return;
        }
        self.push(json!({"output_type": "stream", "name": name, "text": text}));
    }

    fn push(&mut self, output: Value) {
        if std::mem::take(&mut self.clear_next) {
            self.clear();
        }
        self.kept.push(output);
    }

    fn clear(&mut self) {
        self.kept.clear();
        self.names.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::MimeBundle;
    use crate::session::Recorder;

    #[test]
    fn outputs_are_those_a_notebook_would_keep() {
        let recorder = Rc::new(Recorder::new());
        let kept = KeptOutputs::new(recorder.clone());
        let text = |text: &str| CellEvent::Text { stream: Stream::Stdout, text: text.into() };
        let display = |text: &str, is_update| CellEvent::Display {
            bundle: MimeBundle::plain(text),
            id: Some("bar".into()),
            is_update,
        };
        let events = [
            CellEvent::Started { number: 3, source: "x".into() },
            text("dropped"),
            CellEvent::Clear { wait: true },
            text("a"),
            text("b\n"),
            display("50%", false),
            display("100%", true),
            CellEvent::Result { number: 3, bundle: MimeBundle::plain("7") },
        ];
        for event in &events {
            kept.emit(event.clone()).expect("the recorder stays");
        }
        assert_eq!(
            kept.take(),
            (
                Some(3),
                vec![
                    json!({"output_type": "stream", "name": "stdout", "text": "ab\n"}),
                    json!({"output_type": "display_data", "data": {"text/plain": "100%"}, "metadata": {}}),
                    json!({"output_type": "execute_result", "execution_count": 3, "data": {"text/plain": "7"}, "metadata": {}}),
                ]
            )
        );
        assert_eq!(recorder.take().len(), events.len(), "everything went on");
        assert_eq!(kept.take(), (None, vec![]));
    }
}
