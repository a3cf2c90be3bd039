//! The table of probes.

use gritstone_engine::{Backend, Dimension, SaveError, Setup};

use crate::columns::Column;
use crate::view::View;
use crate::{
    ContactList, Coordination, Energies, Fabric, Flow, GrainStress, Profile, Repose, SolidFraction, Stress,
    WallForces,
};

/// Something that can be measured.
pub trait Measure<D: Dimension>: Send {
    /// Columns of a row, behind the step and the time.
    fn columns(&self, setup: &Setup<D>) -> Vec<Column>;

    /// The rows of a moment: one, or as many as there are grains, contacts or bins. What does not exist at this moment is not
    /// a number.
    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>>;

    /// Columns of what stands for all rows of a moment in summaries.
    fn digest_columns(&self, setup: &Setup<D>) -> Vec<Column> {
        self.columns(setup)
    }

    /// What stands for all rows of a moment: the only one, or means and extremes of many.
    fn digest(&self, rows: &[Vec<f64>]) -> Vec<f64> {
        rows.first().cloned().unwrap_or_default()
    }

    /// Looks at the world between two measurements; for those that count what passes. Called in the same steps whatever
    /// else a run does.
    fn look(&mut self, _: &dyn Backend<D>, _: &Setup<D>) {}

    /// A row was taken of this snapshot; for those that give changes since the last row.
    fn note(&mut self, _: &View<'_, D>) {}

    /// Why the row of this snapshot has no value, where it has none.
    fn remark(&self, _: &View<'_, D>) -> Option<String> {
        None
    }

    /// What the next measurement depends on, as bytes.
    fn save(&self) -> Result<Vec<u8>, SaveError> {
        Ok(Vec::new())
    }

    /// Goes on from those bytes; whether they could be read.
    fn restore(&mut self, bytes: &[u8]) -> bool {
        bytes.is_empty()
    }
}

macro_rules! kinds {
    ($($name:ident,)*) => {
        /// Any probe: one line each.
        #[derive(Clone, Debug)]
        pub enum Kind<D: Dimension> {
            $(#[doc = concat!("[`", stringify!($name), "`].")] $name($name<D>),)*
        }

        impl<D: Dimension> Kind<D> {
            /// The probe.
            pub fn get(&self) -> &dyn Measure<D> {
                match self { $(Self::$name(probe) => probe,)* }
            }

            /// The probe, to be told something.
            pub fn get_mut(&mut self) -> &mut dyn Measure<D> {
                match self { $(Self::$name(probe) => probe,)* }
            }
        }

        $(impl<D: Dimension> From<$name<D>> for Kind<D> {
            fn from(probe: $name<D>) -> Self { Self::$name(probe) }
        })*
    };
}

kinds! {
    Energies,
    Coordination,
    SolidFraction,
    Stress,
    GrainStress,
    Fabric,
    Flow,
    WallForces,
    ContactList,
    Profile,
    Repose,
}
