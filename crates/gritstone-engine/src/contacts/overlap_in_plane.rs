//! Overlaps of figures with straight sides. The law is that of space: it sees the plane z = 0, in which bodies turn about z. Overlaps are
//! found anew in every step.

use glam::{DVec2, DVec3};
use gritstone_contact::Placed;
use gritstone_contact::plane::{Overlap, OverlapIntegrals, overlaps};
use gritstone_core::linalg::Sym3;
use gritstone_core::{Contact, Plane, Space};
use gritstone_force::{History, Interaction, Load, OverlapMoments, PressedOverlap, Touch, Wrench};

use super::overlap::OverlapContacts;

impl OverlapContacts for Plane {
    type Overlap = Overlap;
    type OverlapCache = ();

    #[inline]
    fn meet_by_overlap([a, b]: [Placed<'_, Self>; 2], contact: &Contact<Self>) -> bool {
        overlaps(a, b, contact)
    }

    fn measure_overlap(
        overlap: &mut Overlap,
        [a, b]: [Placed<'_, Self>; 2],
        contact: &Contact<Self>,
    ) -> Option<OverlapMoments> {
        overlap.measure(a, b, contact).map(|found| moments(&found))
    }

    fn add_overlaps<'w>(
        overlap: &mut Overlap,
        pairs: impl Iterator<Item = [Placed<'w, Self>; 2]>,
        contact: &Contact<Self>,
        mut volume: impl FnMut(usize, f64),
    ) -> Option<OverlapMoments> {
        overlap.clear();
        for (number, [a, b]) in pairs.enumerate() {
            volume(number, overlap.add(a, b, contact));
        }
        overlap.integrals().map(|found| moments(&found))
    }

    fn press_overlap(
        law: &Interaction,
        touch: &Touch<Self>,
        moments: &OverlapMoments,
        last: Option<f64>,
        dt: f64,
        yielding: impl Fn(DVec2, f64) -> f64,
    ) -> Option<PressedOverlap> {
        let yielding = |wrench: &Wrench| yielding(wrench.force.truncate(), wrench.torque.z);
        law.press_overlap(&in_space(touch), moments, last, dt, yielding)
    }

    fn load_pressed(
        law: &Interaction,
        touch: &Touch<Self>,
        pressed: &PressedOverlap,
        share: f64,
        history: &mut History<Self>,
        dt: f64,
    ) -> Load<Self> {
        with_history(history, |history| law.load_pressed(&in_space(touch), pressed, share, history, dt))
    }

    fn load_overlap(
        law: &Interaction,
        touch: &Touch<Self>,
        moments: Option<&OverlapMoments>,
        history: &mut History<Self>,
        dt: f64,
        yielding: impl Fn(DVec2, f64) -> f64,
    ) -> Load<Self> {
        if moments.is_none() && touch.depth > 0.0 {
            return law.load(touch, history, dt); // The point law of the plane stands in.
        }
        let yielding = |wrench: &Wrench| yielding(wrench.force.truncate(), wrench.torque.z);
        with_history(history, |history| law.load_overlap(&in_space(touch), moments, history, dt, yielding))
    }
}

/// What the law of space sees of a contact in the plane.
fn in_space(touch: &Touch<Plane>) -> Touch<Space> {
    let Touch { depth, normal, velocity, spin, mean_spin, radius, radius_gradient, mass, normal_mass } =
        *touch;
    Touch {
        depth,
        normal: normal.extend(0.0),
        velocity: velocity.extend(0.0),
        spin: DVec3::Z * spin,
        mean_spin: DVec3::Z * mean_spin,
        radius,
        radius_gradient: lifted((radius_gradient.force, radius_gradient.torque)),
        mass,
        normal_mass,
    }
}

/// What the law of space does, with the history of the plane.
fn with_history(
    history: &mut History<Plane>,
    load: impl FnOnce(&mut History<Space>) -> Load<Space>,
) -> Load<Plane> {
    let History { slip, roll, twist, anchor, stiffness, normal_force } = *history;
    let mut lifted = History {
        slip: slip.extend(0.0),
        roll: roll.extend(0.0),
        twist,
        anchor: anchor.extend(0.0),
        stiffness,
        normal_force,
    };
    let Load { force, torque, elastic, dissipated, normal_force } = load(&mut lifted);
    *history = History {
        slip: lifted.slip.truncate(),
        roll: lifted.roll.truncate(),
        twist: lifted.twist,
        anchor: lifted.anchor.truncate(),
        stiffness: lifted.stiffness,
        normal_force: lifted.normal_force,
    };
    Load { force: force.truncate(), torque: torque.z, elastic, dissipated, normal_force }
}

fn lifted((force, torque): (DVec2, f64)) -> Wrench {
    Wrench { force: force.extend(0.0), torque: DVec3::Z * torque }
}

/// As laws take them.
fn moments(found: &OverlapIntegrals) -> OverlapMoments {
    let OverlapIntegrals { area, centroid, covariance, thinness, uniform, quadratic } = *found;
    OverlapMoments {
        in_plane: true,
        volume: area,
        centroid: centroid.extend(0.0),
        covariance: Sym3 { xx: covariance.xx, yy: covariance.yy, xy: covariance.xy, ..Sym3::default() },
        thinness,
        uniform: lifted(uniform),
        quadratic: lifted(quadratic),
    }
}
