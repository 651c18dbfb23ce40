import { useSyncExternalStore } from 'react'

const KEY = 'DSP_SINGLE_KEYS'
const listeners = new Set<() => void>()

/**
 * Single-key shortcuts are on by default. They can be switched off because speech input and slips of the hand trigger them (WCAG
 * 2.1.4).
 */
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
