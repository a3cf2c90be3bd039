//! How a run goes, on stderr: a bar on a terminal, else a line now and then where it is wanted.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use gritstone::run::{Progress, Start, Watch};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::signals::Signals;

/// Wall-clock time between two lines, where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows how a run goes.
pub(crate) struct Display<'s> {
    signals: &'s Signals,
    bar: Option<ProgressBar>,
    verbose: bool,
    last_line: Instant,
}

impl<'s> Display<'s> {
    pub(crate) fn new(signals: &'s Signals, verbose: bool) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {percent:>3} %\n{wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        Self { signals, bar, verbose, last_line: Instant::now() }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }
}

impl Watch for Display<'_> {
    fn start(&mut self, start: &Start<'_>) {
        self.line(&start.report.to_string());
        let folder = start.folder.display();
        match start.resumed {
            None => self.line(&format!("files      in {folder}")),
            Some(latest) => {
                if let Some((path, why)) = &latest.refused {
                    self.line(&format!("warning: {} is not used: {why}", path.display()));
                }
                let (stamp, path) = (&latest.checkpoint.stamp, latest.path.display());
                let (step, time) = (stamp.step, stamp.time);
                self.line(&format!(
                    "files      in {folder}\nresumed    from step {step}, {time:.6} s, {path}"
                ));
            }
        }
    }

    fn progress(&mut self, progress: &Progress) {
        if let Some(bar) = &self.bar {
            bar.set_length(progress.last_step);
            bar.set_position(progress.status.step);
            bar.set_message(sentence(progress));
        } else if self.verbose && self.last_line.elapsed() > LINE_EVERY {
            self.last_line = Instant::now();
            self.line(&sentence(progress));
        }
    }

    fn note(&mut self, text: &str) {
        self.line(text);
    }

    fn wants_stop(&self) -> bool {
        self.signals.came()
    }
}

/// How it goes, in a line.
fn sentence(progress: &Progress) -> String {
    let status = &progress.status;
    let left = progress.remaining.map_or_else(String::new, |left| format!(" · {} left", HumanDuration(left)));
    let imbalance =
        progress.imbalance.map_or_else(String::new, |imbalance| format!(" · imbalance {imbalance:.2}"));
    format!(
        "{:.4} of {:.4} s{left} · {:.2e} particle-steps/s · {} contacts · overlap {:.1e} · {} unresolved · energy drift {:+.1e}{imbalance}",
        status.time,
        progress.end_time,
        progress.particle_steps_per_second,
        status.contacts,
        status.deepest,
        status.unresolved_since_start,
        progress.energy_error,
    )
}
