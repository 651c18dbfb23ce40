import { useDeferredValue } from 'react'

/** More items than fit on a screen. */
const AT_ONCE = 60

/** Renders the beginning of a long list at once and the rest in a deferred pass. The result is stable while the list is. */
export const useSoon = <Item>(all: readonly Item[]): readonly Item[] =>
  useDeferredValue(all, all.length > AT_ONCE ? all.slice(0, AT_ONCE) : all)
