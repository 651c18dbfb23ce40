/** The work, done again after `ms` at the earliest; in between, callers get the answer before. A failure is not kept. */
export function atMostEvery<T>(
  ms: number,
  work: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null
  return () => {
    if (last !== null && now() - last.at < ms) return last.answer
    const mine = { at: now(), answer: work() }
    last = mine
    mine.answer.catch(() => {
      if (last === mine) last = null
    })
    return mine.answer
  }
}
