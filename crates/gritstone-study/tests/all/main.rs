//! Reproductions of the papers, the independent truth and verification cases.

mod martinez2003;
mod nezami2006;
mod podlozhnyuk;
mod precise;
mod truth;
mod verify;
mod wellmann2008;
