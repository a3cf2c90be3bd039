//! Tables for terminals.

use comfy_table::{self as comfy, CellAlignment, ContentArrangement, LineStyle, TableStyle};
use comfy_table::{ColumnConstraint as Constraint, Width};

use super::{Align, Cell, Column, Shown, Table};
use crate::escape::printable;

/// Three rules and no walls, as books set tables.
const BOOK: TableStyle = TableStyle::new()
    .top_border(LineStyle::none().fill('━').junction('━'))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('━').junction('━'));

/// Blanks around a column.
const PADDING: usize = 3;

/// No column of words is wrapped to less than this, blanks included.
const WORDS: usize = 24;

impl Table {
    /// The table for a terminal of this width, with title and notes; without a width nothing is wrapped.
    ///
    /// Words wrap, numbers never do: if they do not fit side by side, the table continues below with its leading
    /// columns of words repeated.
    pub fn to_text(&self, width: Option<u16>) -> String {
        let panels = match width {
            Some(width) => self.panels(width.into()),
            None => vec![(0..self.columns.len()).collect()],
        };
        let mut out = format!("{}\n", printable(&self.title));
        let panels: Vec<String> = panels.iter().map(|panel| self.panel(panel, width)).collect();
        out += &panels.join("\n\n");
        out.push('\n');
        for note in &self.notes {
            out += &printable(note);
            out.push('\n');
        }
        out
    }

    /// Some of the columns as a table of their own.
    fn panel(&self, columns: &[usize], width: Option<u16>) -> String {
        let mut table = comfy::Table::new();
        let grouped = self.columns.iter().any(|column| column.group.is_some());
        table.load_style(BOOK);
        table.set_header(
            columns.iter().map(|i| cell(&heading(&self.columns[*i], grouped), &self.columns[*i])),
        );
        for row in &self.rows {
            table.add_row(
                columns.iter().map(|i| cell(&content(&row[*i], &self.columns[*i]), &self.columns[*i])),
            );
        }
        if let Some(width) = width {
            table.set_width(width).set_content_arrangement(ContentArrangement::Dynamic);
            table.set_constraints(columns.iter().map(|i| match self.wraps(*i) {
                true => Constraint::LowerBoundary(Width::Fixed(self.least_width(*i) as u16)),
                false => Constraint::ContentWidth,
            }));
        }
        table.trim_fmt()
    }

    /// Which columns stand side by side: groups stay together, leading words come with each panel.
    fn panels(&self, width: usize) -> Vec<Vec<usize>> {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let (lead, rest) = all.split_at(all.iter().take_while(|i| self.wraps(**i)).count());
        let room = |columns: &[usize]| columns.iter().map(|i| self.least_width(*i)).sum::<usize>();
        let group = |i: usize| self.columns[i].group.as_ref();
        let (mut panels, mut panel) = (Vec::new(), lead.to_vec());
        for run in rest.chunk_by(|a, b| group(*a).is_some() && group(*a) == group(*b)) {
            if panel.len() > lead.len() && room(&panel) + room(run) > width + 1 {
                panels.push(std::mem::replace(&mut panel, lead.to_vec()));
            }
            panel.extend(run);
        }
        panels.push(panel);
        panels
    }

    /// Whether a column holds words, which may be wrapped.
    fn wraps(&self, index: usize) -> bool {
        let words = |row: &Vec<Cell>| matches!(row[index], Cell::Text(_) | Cell::Missing);
        self.columns[index].align == Align::Left && self.rows.iter().all(words)
    }

    /// Least width of a column, with its blanks.
    fn least_width(&self, index: usize) -> usize {
        let column = &self.columns[index];
        let cells = self.rows.iter().map(|row| content(&row[index], column));
        let texts: Vec<String> = cells.chain([heading(column, true)]).collect();
        let widths = texts.iter().flat_map(|text| text.lines()).map(|line| PADDING + line.chars().count());
        let natural = widths.max().unwrap_or(PADDING);
        if self.wraps(index) { natural.min(WORDS) } else { natural }
    }
}

/// Group, name and unit below each other; names stand on one line, whether grouped or not.
fn heading(column: &Column, grouped: bool) -> String {
    let group = grouped.then(|| column.group.clone().unwrap_or_default());
    let unit = column.unit.as_ref().map(|unit| format!("({unit})"));
    [group, Some(column.name.clone()), unit].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn content(cell: &Cell, column: &Column) -> String {
    match cell.shown(column) {
        Shown::Words(words) => words.to_owned(),
        Shown::Number(number) => number.text(),
    }
}

fn cell(text: &str, column: &Column) -> comfy::Cell {
    comfy::Cell::new(printable(text)).set_alignment(match column.align {
        Align::Left => CellAlignment::Left,
        Align::Center => CellAlignment::Center,
        Align::Right => CellAlignment::Right,
    })
}
