//! Contact detection between convex bodies: do they touch, where, how deep and in which direction.
//!
//! The signed distance of two convex bodies is the maximum over unit directions c of
//! `g(c) = c·(p_b(−c) − p_a(c))` with support points p: the distance when they are apart, minus the least translation
//! that separates them when they overlap. Every method here is judged by that definition. Published methods are
//! implemented as published, one file each; [`space::Auto`] is the default and brackets its answer between a proven
//! lower and a proven upper bound.
//!
//! ```
//! use gritstone_contact::{Query, space};
//! use gritstone_core::Pose;
//! use gritstone_shape::space::{Solid, Superellipsoid};
//! use glam::DVec3;
//!
//! let grain = Solid::from(Superellipsoid::new(DVec3::new(1.0, 2.0, 3.0), [0.5, 1.2])?);
//! let a = space::Placed { shape: &grain, pose: Pose::at(DVec3::ZERO) };
//! let b = space::Placed { shape: &grain, pose: Pose::at(DVec3::new(2.5, 0.3, 0.1)) };
//! let method = space::method("auto").unwrap();
//! let answer = method.solve(a, b, Query::default(), &mut space::Scratch::default())?;
//! assert!(answer.certified());
//! assert!(answer.contact().unwrap().gap > 0.4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The same bits on every machine: `clippy.toml` lists what would break that. Tests may compare with it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod columns;
pub mod common_plane;
pub mod fast_common_plane;
mod flatness;
mod gjk;
mod method;
mod pair;
pub mod plane;
pub mod polytopes;
pub mod shortest_link;
pub mod shortest_link_mended;
pub mod space;
pub mod tolerance;
mod verdict;

pub use common_plane::CommonPlane;
pub use fast_common_plane::FastCommonPlane;
pub use method::{Card, Goal, Method, NarrowPhase, Placed, Query, Refusal};
pub use shortest_link::ShortestLink;
pub use shortest_link_mended::ShortestLinkMended;
pub use verdict::{Answer, Doubt, Verdict};
