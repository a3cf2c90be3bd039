//! Contact laws against closed forms.

mod cohesion;
mod friction;
mod impact;
mod lanes;
mod patch;
mod rest;
mod rig;
