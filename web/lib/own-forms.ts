import type { SyntheticEvent } from 'react'

const stop = (event: SyntheticEvent) => event.stopPropagation()

/**
 * Props of everything that a portal draws. React passes events of a portal on to the place where it is used: without these, a form in a
 * dialog would also submit the form around it.
 */
export const ownForms = { onSubmit: stop, onReset: stop } as const
