//! Tables, plots and reports.

mod plot;
mod report;
mod table;
