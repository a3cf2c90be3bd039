//! Rocks against closed forms.

mod closed_forms;
