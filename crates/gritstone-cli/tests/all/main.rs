//! The program, as its users call it.

mod bench;
mod common;
mod contact;
mod demo;
mod limits;
mod machines;
mod methods;
mod pictures;
mod plane;
mod reproduce;
mod run;
mod same_bits;
mod scenes;
mod shipped;
mod sweep;
mod tutorials;
mod verify;
mod view;
