//! Which columns of a table share a plot: those of the same unit and of like magnitude.

use super::csv::Column;

/// Curves whose largest values are further apart than this factor do not share an axis: the smaller one would look flat.
const MOST_APART: f64 = 25.0;

/// What numbers of a unit are, where the columns of a plot have no common name.
const QUANTITIES: [(&str, &str); 13] = [
    ("N", "force"),
    ("N/m", "force"),
    ("N m", "torque"),
    ("J", "energy"),
    ("W", "power"),
    ("Pa", "stress"),
    ("m", "length"),
    ("m/s", "velocity"),
    ("rad/s", "angular velocity"),
    ("kg", "mass"),
    ("kg/s", "mass flow rate"),
    ("deg", "angle"),
    ("1/s", "rate"),
];

/// Columns that are drawn in one plot.
pub(super) struct Group<'a> {
    pub(super) columns: Vec<&'a Column>,
    /// What is plotted: the name of the only column, or what numbers of the unit are.
    pub(super) quantity: String,
}

impl Group<'_> {
    /// Which columns of which file are drawn.
    pub(super) fn caption(&self, stem: &str) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let columns = if names.len() == 1 { "Column" } else { "Columns" };
        format!("{columns} {} of {stem}.csv.", names.join(", "))
    }
}

/// Sorts columns into groups of the same unit and of like magnitude, in the order in which they come.
pub(super) fn groups<'a>(columns: &[&'a Column], most: usize) -> Vec<Group<'a>> {
    let mut found: Vec<(Vec<&'a Column>, [f64; 2])> = Vec::new();
    for column in columns {
        let size = column.magnitude();
        let fits = |(group, [least, largest]): &&mut (Vec<&Column>, [f64; 2])| {
            group.len() < most
                && group[0].unit == column.unit
                && largest.max(size) <= MOST_APART * least.min(size)
        };
        match found.iter_mut().find(fits) {
            Some((group, [least, largest])) => {
                group.push(column);
                (*least, *largest) = (least.min(size), largest.max(size));
            }
            None => found.push((vec![column], [size; 2])),
        }
    }
    found.into_iter().map(|(columns, _)| Group { quantity: quantity(&columns), columns }).collect()
}

fn quantity(columns: &[&Column]) -> String {
    let unit = columns[0].unit.as_deref();
    let known = QUANTITIES.iter().find(|(known, _)| Some(*known) == unit).map(|(_, name)| *name);
    match (columns, known) {
        ([one], _) => one.name.replace('_', " "),
        (_, Some(name)) => name.to_owned(),
        (_, None) => unit.map_or("number", |_| "value").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, unit: Option<&str>, largest: f64) -> Column {
        Column { name: name.into(), unit: unit.map(str::to_owned), values: vec![0.0, -largest, f64::NAN] }
    }

    #[test]
    fn columns_of_like_magnitude_share_an_axis() {
        let table = [
            column("grains", None, 2000.0),
            column("coordination", None, 4.0),
            column("rattlers", None, 300.0),
            column("force_x", Some("N"), 5.0),
            column("force_z", Some("N"), 90.0),
            column("torque", Some("N m"), 4.0),
        ];
        let found = groups(&table.each_ref(), 6);
        let names: Vec<Vec<&str>> = found
            .iter()
            .map(|group| group.columns.iter().map(|column| column.name.as_str()).collect())
            .collect();
        let wanted: [&[&str]; 4] =
            [&["grains", "rattlers"], &["coordination"], &["force_x", "force_z"], &["torque"]];
        assert_eq!(names, wanted);
        let quantities: Vec<&str> = found.iter().map(|group| group.quantity.as_str()).collect();
        assert_eq!(quantities, ["number", "coordination", "force", "torque"]);
        assert_eq!(found[2].caption("walls"), "Columns force_x, force_z of walls.csv.");
        assert_eq!(groups(&table.each_ref(), 1).len(), 6);
    }
}
