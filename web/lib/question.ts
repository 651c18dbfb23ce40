/** A question that a dialog over the page asks. */
export type Question<Asked, Answer> = {
  readonly subscribe: (listener: () => void) => () => void
  /** Open question; null while there is none. */
  readonly asked: () => Asked | null
  /** Closes the question. */
  readonly answer: (answer: Answer) => void
  /** Resolves with the answer. There is one question at a time: who asks meanwhile gets its answer too. */
  readonly ask: (asked: Asked) => Promise<Answer>
}

export function createQuestion<Asked, Answer>(): Question<Asked, Answer> {
  const listeners = new Set<() => void>()
  let open: { readonly asked: Asked; readonly resolve: (answer: Answer) => void } | null = null
  let answered: Promise<Answer> | null = null
  const show = (next: typeof open) => {
    open = next
    for (const listener of listeners) listener()
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    asked: () => open?.asked ?? null,
    answer: (answer) => open?.resolve(answer),
    ask: (asked) => {
      answered ??= new Promise<Answer>((resolve) => show({ asked, resolve })).finally(() => {
        answered = null
        show(null)
      })
      return answered
    },
  }
}
