import { useDeferredValue } from 'react'

/** More than fit on a screen. */
const AT_ONCE = 60

/** A long list, the same one as long as it has not changed, whose beginning is drawn at once, and the rest while the reader is looking at it already. */
export const useSoon = <Item>(all: readonly Item[]): readonly Item[] =>
  useDeferredValue(all, all.length > AT_ONCE ? all.slice(0, AT_ONCE) : all)
