// What goes between the host and the device: contacts, and in steps that both make together bodies, questions and answers.
#pragma once

#include "contacts.h"
#include "gather.h"

// So many contacts are packed for the host: numbers, forces and point of each.
KERNEL BOUNDS(THREADS) pack_contacts(const Params p, unsigned count) {
    unsigned i = thread_number();
    if (i >= count) return;
    size_t c = p.touching[i];
    double *packed = p.packed + (size_t)PACKED * i;
    for (int n = 0; n < CONTACT; ++n) packed[n] = p.contacts[p.first][CONTACT * c + n];
    for (int n = 0; n < ROW; ++n) packed[CONTACT + n] = p.rows[ROW * c + n];
    for (int n = 0; n < POINT; ++n) packed[CONTACT + ROW + n] = p.points[POINT * c + n];
}

// The way back.
KERNEL BOUNDS(THREADS) unpack_contacts(const Params p, unsigned count) {
    unsigned i = thread_number();
    if (i >= count) return;
    size_t c = p.touching[i];
    const double *packed = p.packed + (size_t)PACKED * i;
    for (int n = 0; n < CONTACT; ++n) p.contacts[p.first][CONTACT * c + n] = packed[n];
    for (int n = 0; n < ROW; ++n) p.rows[ROW * c + n] = packed[CONTACT + n];
    for (int n = 0; n < POINT; ++n) p.points[POINT * c + n] = packed[CONTACT + ROW + n];
}

// A body at the end of the step that is being made.
FN void sample_body(const Params &p, unsigned slot, double *sample) {
    unsigned next = p.first ^ 1u;
    for (int n = 0; n < BODY; ++n) sample[n] = p.records[next][(size_t)BODY * slot + n];
    for (int n = 0; n < 3; ++n) sample[BODY + n] = p.states[next][(size_t)BODY * slot + HALF_VELOCITY + n];
}

// Bodies that the host wants to see.
KERNEL BOUNDS(THREADS) sample_bodies(const Params p, unsigned count) {
    unsigned i = thread_number();
    if (i < count) sample_body(p, p.visited[i], p.samples + (size_t)SAMPLE * i);
}

// What the host is asked: candidates with the direction of their last test, or contacts with their normal and history.
KERNEL BOUNDS(THREADS) pack_questions(const Params p, unsigned count) {
    unsigned i = thread_number();
    if (i >= count) return;
    unsigned c = p.asked[p.question + i];
    double *question = p.questions + (size_t)QUESTION * i;
    question[0] = as_double(c);
    const double *contact = p.contacts[p.first ^ 1u] + (size_t)CONTACT * c;
    const double *direction = p.of_contacts ? contact + NORMAL : p.directions + (size_t)3 * c;
    for (int n = 0; n < 3; ++n) question[1 + n] = direction[n];
    for (int n = 0; n < 5 && p.of_contacts; ++n) question[4 + n] = contact[STRETCH + n];
    for (int side = 0; side < 2; ++side) sample_body(p, p.pairs[2 * (size_t)c + side], question + 12 + SAMPLE * side);
}

// What the host has answered.
KERNEL BOUNDS(THREADS) take_answers(const Params p, unsigned count) {
    unsigned i = thread_number();
    if (i >= count) return;
    const double *answer = p.answers + (size_t)ANSWER * i;
    unsigned c = (unsigned)as_bits(answer[0]), kind = (unsigned)(as_bits(answer[0]) >> 32), next = p.first ^ 1u;
    unsigned a = p.pairs[2 * (size_t)c], b = p.pairs[2 * (size_t)c + 1];
    if (kind == IS_APART) {
        p.due_at[c] = displacement_of(p, c, a, b, next) + answer[1];
        for (int n = 0; n < 3; ++n) p.directions[(size_t)3 * c + n] = answer[2 + n];
        p.flags[c] &= LISTED;
    } else if (kind == IS_HOSTED) {
        p.due_at[c] = INFINITY;
        p.flags[c] |= TOUCHES | HOSTED;
    } else if (kind == IS_IN_LANES) {
        for (int n = 0; n < CONTACT; ++n) p.contacts[p.first][(size_t)CONTACT * c + n] = answer[1 + n];
        Body body_a = load_body(p.records[next], a), body_b = load_body(p.records[next], b);
        list_contact(p, c, class_of_pair(p, a, body_a, b, body_b));
    } else {
        for (int n = 0; n < ROW; ++n) p.rows[(size_t)ROW * c + n] = answer[1 + n];
        p.contacts[next][(size_t)CONTACT * c + GAP] = answer[1 + ROW];
    }
}

// Elastic energy and gap of every contact of the walls, in the order of their candidates; no contacts have a gap that is no number.
KERNEL BOUNDS(THREADS) pack_wall_contacts(const Params p, unsigned count) {
    unsigned i = thread_number();
    if (i >= count) return;
    size_t c = p.entries[i] >> 1;
    bool touches = p.flags[c] & TOUCHES;
    p.wall_contacts[2 * (size_t)i] = touches ? p.rows[ROW * c + 7] : 0.0;
    p.wall_contacts[2 * (size_t)i + 1] = touches ? p.contacts[p.first ^ 1u][CONTACT * c + GAP] : as_double(0x7ff8000000000000ull);
}
