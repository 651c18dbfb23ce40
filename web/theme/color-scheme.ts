import { useSyncExternalStore } from 'react'

export const SCHEMES = ['light', 'dark', 'system'] as const
export type Scheme = (typeof SCHEMES)[number]

const KEY = 'DSP_THEME'
const listeners = new Set<() => void>()
const prefersDark = () => window.matchMedia('(prefers-color-scheme: dark)')

export function currentScheme(): Scheme {
  const stored = localStorage.getItem(KEY)
  return SCHEMES.find((scheme) => scheme === stored) ?? 'system'
}

const isDark = () => currentScheme() === 'dark' || (currentScheme() === 'system' && prefersDark().matches)

function apply() {
  document.documentElement.classList.toggle('dark', isDark())
  for (const listener of listeners) listener()
}

export function setScheme(scheme: Scheme) {
  localStorage.setItem(KEY, scheme)
  apply()
}

/** Applies the stored choice and follows changes of the system's. */
export function startColorScheme() {
  prefersDark().addEventListener('change', apply)
  apply()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useScheme = () => useSyncExternalStore(subscribe, currentScheme)
export const useIsDark = () => useSyncExternalStore(subscribe, isDark)
