/**
 * Which holes in the positions will never be filled.
 *
 * Positions are handed out in order, but commit in any order: a reader that sees 7 and 9 does not know whether 8 was rolled
 * back or is about to appear. Skipping it loses an event; waiting for every older transaction lets one slow report stop all
 * projections. The proof used here looks only at transactions that write to es.events:
 *
 * 1. A position is taken inside an INSERT, after the INSERT has locked the table (RowExclusiveLock), and positions are taken in
 *    rising order. So when a statement sees `head`, every writer of a lower position had the lock before the statement's
 *    snapshot.
 * 2. The lock is released after the outcome of the transaction is visible. So a writer missing from a list of lock holders
 *    that was read after the snapshot has ended, and every later snapshot sees what it left.
 * 3. So take a list together with `head`, and strike from it whoever is missing from a later list. When it is empty, every
 *    statement sent from then on sees all there will ever be up to `head`: what is missing is dead.
 *
 * Duties that keep this sound: nobody calls nextval on the sequence outside an INSERT, its cache stays 1, and reading happens on
 * the primary, one statement per transaction.
 */
export type HoleEvidence = {
  /** Call before sending the statement; the result goes into the two others. */
  readonly sent: () => number
  /** What a statement that met a hole saw: the newest position and who held the lock after its snapshot. */
  readonly observe: (sent: number, head: bigint, writers: ReadonlySet<string>) => void
  /** Whether a hole at this position, seen by the statement sent then, is dead. */
  readonly isDead: (sent: number, position: bigint) => boolean
}

type Proof = { readonly head: bigint; readonly at: number }
type Suspicion = { readonly since: number; readonly head: bigint; readonly writers: Set<string> }

/** More would only make the proof finer grained; a new one is taken once an old one is settled. */
const MAX_SUSPICIONS = 64
/** A statement under way when a newer proof arrives can still use an older one. */
const KEPT_PROOFS = 16

/** A prepared transaction shows up under a new name: one that is missing from the list may have turned into it. */
const isPrepared = (writer: string): boolean => writer.startsWith('-1/')

export function createHoleEvidence(): HoleEvidence {
  let clock = 0
  let proofs: readonly Proof[] = []
  let open: Suspicion[] = []

  return {
    sent: () => {
      clock += 1
      return clock
    },
    observe: (sent, head, writers) => {
      clock += 1
      for (const suspicion of open) {
        // A list read before the suspicion arose may lack a writer who had not begun by then.
        if (sent <= suspicion.since) continue
        for (const writer of suspicion.writers) if (!writers.has(writer)) suspicion.writers.delete(writer)
        for (const writer of writers) if (isPrepared(writer)) suspicion.writers.add(writer)
      }
      if (open.length < MAX_SUSPICIONS) open.push({ since: clock, head, writers: new Set(writers) })
      const known = proofs.at(-1)?.head ?? 0n
      const proven = open.filter(({ writers: left }) => left.size === 0).map((suspicion) => suspicion.head)
      const best = proven.reduce((highest, each) => (each > highest ? each : highest), known)
      if (best > known) proofs = [...proofs, { head: best, at: clock }].slice(-KEPT_PROOFS)
      open = open.filter((suspicion) => suspicion.head > best)
    },
    // Sent before the proof was complete, the statement may have missed what was committed in between
    // ("a proof does not apply to a statement sent before it").
    isDead: (sent, position) => proofs.some(({ head, at }) => position <= head && sent > at),
  }
}
