import { now } from '@/lib/clock'

/** How long after an input calls count as made by the user, milliseconds. */
const ATTENDED_MS = 60_000
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const

let lastInput = now()
const note = () => {
  lastInput = now()
}
for (const type of INPUTS) window.addEventListener(type, note, { capture: true, passive: true })

/** Calls with this header keep no session from ending: pages refresh figures and follow changes also while the user is away. */
export const UNATTENDED_HEADER = 'X-Placard-Unattended'
export const isUnattended = (): boolean => now() - lastInput > ATTENDED_MS
