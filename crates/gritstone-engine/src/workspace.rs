//! Working memory of each thread, kept from step to step so that steps allocate nothing.

use std::fmt;
use std::sync::Mutex;

use gritstone_force::FacetForce;

use crate::boundary::surface::FacetWork;
use crate::dimension::Dimension;

/// What a thread works with. Nothing that is computed depends on what was left in it.
pub(crate) struct Workspace<D: Dimension> {
    pub(crate) scratch: D::Scratch,
    pub(crate) patch: D::Patch,
    pub(crate) overlap: D::Overlap,
    /// Facets of a surface in a grain.
    pub(crate) facets: FacetWork,
    /// What these do at each contact.
    pub(crate) facet_forces: Vec<Option<FacetForce>>,
    /// Of overlaps that act as one.
    pub(crate) volumes: Vec<f64>,
}

impl<D: Dimension> Default for Workspace<D> {
    fn default() -> Self {
        Self {
            scratch: D::Scratch::default(),
            patch: D::Patch::default(),
            overlap: D::Overlap::default(),
            facets: FacetWork::default(),
            facet_forces: Vec::new(),
            volumes: Vec::new(),
        }
    }
}

/// A workspace for every thread of the pool.
pub(crate) struct Workspaces<D: Dimension>(Vec<Mutex<Workspace<D>>>);

impl<D: Dimension> Workspaces<D> {
    /// Makes sure that every thread of this pool has a workspace.
    pub(crate) fn prepare(&mut self) {
        if self.0.len() < rayon::current_num_threads() {
            self.0.resize_with(rayon::current_num_threads(), Mutex::default);
        }
    }

    /// Works in the workspace of this thread.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Workspace<D>) -> T) -> T {
        let own = self.0.get(rayon::current_thread_index().unwrap_or(0));
        match own.and_then(|workspace| workspace.try_lock().ok()) {
            Some(mut workspace) => work(&mut workspace),
            None => work(&mut Workspace::default()),
        }
    }
}

impl<D: Dimension> Default for Workspaces<D> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<D: Dimension> Clone for Workspaces<D> {
    /// Another world has workspaces of its own.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<D: Dimension> fmt::Debug for Workspaces<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} workspaces", self.0.len())
    }
}
