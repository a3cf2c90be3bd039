//! How tables look.

use comfy_table::{ContentArrangement, Row, Table, presets};

/// Width of tables that do not go to a terminal, in columns.
const WIDTH: u16 = 100;

/// An empty table with this header, as wide as the terminal at most.
pub(crate) fn table(header: impl Into<Row>) -> Table {
    let width = terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0);
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(width);
    table.set_header(header);
    table
}
