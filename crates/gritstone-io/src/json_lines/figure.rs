//! How values make shapes in the plane.

use glam::DVec2;
use gritstone_core::{Plane, Pose};
use gritstone_shape::plane::{Circle, Conic, Ellipse, HalfPlane, Polygon, Segment, Superellipse};

use super::object::{Object, wrong};
use super::problem::Problem;
use super::shape::{Made, center, made, made_at};

type Figure = Result<Made<Plane>, Problem>;

pub(super) fn circle(object: &Object<'_>) -> Figure {
    made(object, Circle::new(object.number("radius")?))
}

pub(super) fn ellipse(object: &Object<'_>) -> Figure {
    made(object, Ellipse::new(object.numbers("semi_axes")?.into()))
}

/// A conic says itself where it is.
pub(super) fn conic(object: &Object<'_>) -> Figure {
    made_at(object, Conic { coefficients: object.numbers("coefficients")? }.to_ellipse())
}

pub(super) fn superellipse(object: &Object<'_>) -> Figure {
    let semi_axes = object.numbers("semi_axes")?.into();
    made(object, Superellipse::new(semi_axes, object.number("blockiness")?))
}

/// Polygons are moved so that their centre of mass is their origin.
pub(super) fn polygon(object: &Object<'_>) -> Figure {
    let points: Vec<DVec2> = object.points::<2>("vertices")?.into_iter().map(DVec2::from).collect();
    made_at(object, Polygon::hull(&points).map(|(shape, origin)| (shape, Pose::at(origin))))
}

/// Segments are moved so that their middle is their origin.
pub(super) fn segment(object: &Object<'_>) -> Figure {
    let points = object.points::<2>("vertices")?;
    let [from, to] = points[..] else {
        let name = format!("{}.vertices", object.place);
        return Err(wrong(&name, object.need("vertices")?, "an array of 2 points"));
    };
    let segment = Segment::between([from.into(), to.into()]);
    made_at(object, segment.map(|(shape, middle)| (shape, Pose::at(middle))))
}

pub(super) fn half_plane(object: &Object<'_>) -> Figure {
    made(object, HalfPlane::new(object.numbers("normal")?.into(), object.number("offset")?))
}

/// Its position and orientation.
pub(super) fn pose(object: &Object<'_>) -> Result<Pose<Plane>, Problem> {
    let angle = match object.get("angle_deg") {
        None => 0.0,
        // Whole turns are taken off before degrees become radians, which loses nothing.
        Some(_) => (object.number("angle_deg")? % 360.0).to_radians(),
    };
    Ok(Pose::new(center::<Plane, 2>(object)?, angle))
}
