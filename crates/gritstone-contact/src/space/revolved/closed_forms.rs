//! Balls and vertices, whose extrema are known at once.

use glam::{DVec2, DVec3};

use super::{Body, Extremum, Reach, TangentPlanes, towards};

impl TangentPlanes {
    /// A ball: it touches where it is straight behind the axis, and around it where it is as wide as the surface.
    pub(super) fn ball(&self, centre: DVec3, radius: f64, found: &mut Vec<Extremum>) -> Reach {
        let u = towards(centre.truncate());
        let at = |u: DVec2| {
            let direction = self.direction(u);
            let depth = direction.dot(centre) + radius - self.offset;
            Extremum { sign: 1.0, depth, direction, point: centre + direction * radius }
        };
        let near = at(u);
        if near.depth > 0.0 {
            found.push(near);
        }
        if self.is_hollow() {
            found.extend(Some(at(-u)).filter(|far| far.depth > 0.0));
        }
        Reach { depth: near.depth, direction: near.direction, certified: true }
    }

    /// The vertices of a polyhedron: how far a point is behind a hollow side is a convex function of the point, so no other point of
    /// the polyhedron is deeper than all of them.
    pub(super) fn vertices(&self, body: &Body<'_>, vertices: &[DVec3], found: &mut Vec<Extremum>) -> Reach {
        let mut reach = Reach { depth: f64::NEG_INFINITY, direction: DVec3::Z, certified: true };
        for vertex in vertices {
            let point = body.pose.position + body.frame * *vertex;
            let direction = self.direction(towards(point.truncate()));
            let depth = direction.dot(point) - self.offset;
            if depth > reach.depth {
                reach = Reach { depth, direction, certified: true };
            }
            if depth > 0.0 {
                found.push(Extremum { sign: 1.0, depth, direction, point });
            }
        }
        reach
    }
}

/// How deep a ball is at a circle of this radius and height, and the direction from its centre to the nearest point of that.
pub(super) fn ball_at_edge(centre: DVec3, size: f64, [radius, height]: [f64; 2]) -> (f64, DVec3) {
    let u = towards(centre.truncate());
    let line = (u * radius).extend(height) - centre;
    (size - line.length(), line.try_normalize().unwrap_or(DVec3::Z))
}

/// A sphere: it touches a circle at the nearest point, and at the farthest one, too, where it is so wide.
pub(super) fn sphere_at_edge(centre: DVec3, size: f64, circle: [f64; 2], found: &mut Vec<Extremum>) -> Reach {
    let (depth, direction) = ball_at_edge(centre, size, circle);
    let mut add = |depth: f64, direction: DVec3| {
        if depth > 0.0 {
            found.push(Extremum { sign: 1.0, depth, direction, point: centre + direction * size });
        }
    };
    add(depth, direction);
    let [radius, height] = circle;
    if radius > 0.0 {
        let line = (towards(centre.truncate()) * -radius).extend(height) - centre;
        add(size - line.length(), line.normalize_or_zero());
    }
    Reach { depth, direction, certified: true }
}
