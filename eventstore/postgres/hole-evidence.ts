/**
 * Which holes in the positions will never be filled.
 *
 * Positions are assigned in order, but commit in any order: a reader that sees 7 and 9 does not know whether 8 was rolled
 * back or is about to appear. Skipping it loses an event; waiting for every older transaction lets one slow report stop all
 * projections. This proof considers only transactions that write to es.events:
 *
 * 1. A position is taken inside an INSERT, after the INSERT has locked the table (RowExclusiveLock), and positions are taken in
 *    rising order. So when a statement sees `head`, every writer of a lower position had the lock before the statement's
 *    snapshot.
 * 2. The lock is released after the outcome of the transaction is visible. So a writer missing from a list of lock holders
 *    that was read after the snapshot has ended, and every later snapshot sees what it left.
 * 3. So take a list together with `head`, and remove the writers that are missing from a later list. When it is empty, every
 *    statement sent from then on sees everything there will ever be up to `head`: missing positions are dead.
 *
 * This requires: nextval on the sequence is called by INSERTs only, its cache stays 1, and reads go to the primary, one statement
 * per transaction.
 */
export type HoleEvidence = {
  /** Call before sending the statement; the result goes into the two others. */
  readonly sent: () => Sent
  /** Records what a statement that met a hole saw: the newest position and the lock holders after its snapshot. */
  readonly observe: (sent: Sent, head: bigint, writers: ReadonlySet<string>) => void
  /** Whether a hole at this position, seen by the statement sent then, is dead. */
  readonly isDead: (sent: Sent, position: bigint) => boolean
}

/** When a statement was sent, and up to where it sees all there will ever be. */
export type Sent = { readonly at: number; readonly proven: bigint }

type Suspicion = { readonly since: number; readonly head: bigint; readonly writers: Set<string> }

/** More would only make the proof finer; a new one is added once an old one is settled. */
const MAX_SUSPICIONS = 64

/** A prepared transaction gets a new name: a writer that is missing from the list may have become one. */
const isPrepared = (writer: string): boolean => writer.startsWith('-1/')

export function createHoleEvidence(): HoleEvidence {
  let clock = 0
  let proven = 0n
  let open: Suspicion[] = []

  return {
    sent: () => {
      clock += 1
      return { at: clock, proven }
    },
    observe: (sent, head, writers) => {
      clock += 1
      for (const suspicion of open) {
        // A list read before the suspicion may lack a writer that had not begun yet.
        if (sent.at <= suspicion.since) continue
        for (const writer of suspicion.writers) if (!writers.has(writer)) suspicion.writers.delete(writer)
        for (const writer of writers) if (isPrepared(writer)) suspicion.writers.add(writer)
      }
      if (open.length < MAX_SUSPICIONS) open.push({ since: clock, head, writers: new Set(writers) })
      for (const { head: settled, writers: left } of open) if (left.size === 0 && settled > proven) proven = settled
      open = open.filter((suspicion) => suspicion.head > proven)
    },
    // Uses the proof from when the statement was sent: the statement may have missed events committed before a later proof
    // ("a proof does not apply to a statement sent before it").
    isDead: (sent, position) => position <= sent.proven,
  }
}
