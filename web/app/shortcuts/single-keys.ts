import { useSyncExternalStore } from 'react'

const KEY = 'DSP_SINGLE_KEYS'
const listeners = new Set<() => void>()

/** On unless somebody has switched them off: speech input and a slip of the hand press single keys too (WCAG 2.1.4). */
export const singleKeysOn = () => localStorage.getItem(KEY) !== 'off'

export function setSingleKeys(on: boolean) {
  if (on) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, 'off')
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSingleKeys = () => useSyncExternalStore(subscribe, singleKeysOn)
