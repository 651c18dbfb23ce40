import { useState } from 'react'

/**
 * The state of a short form: values as typed, and the fields that the user has left. The error of a field is shown once it was
 * left, or once the form was sent (platform.md §5).
 */
export function useTypedForm<T extends Readonly<Record<string, string | boolean>>>(initial: T) {
  const [start] = useState(initial)
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<keyof T>>(new Set())
  const [refused, setRefused] = useState<Partial<Record<keyof T, string>>>({})
  return {
    values,
    /** Whether a value is another one than at the start. */
    changed: Object.keys(values).some((name) => values[name] !== start[name]),
    touched,
    set: <K extends keyof T>(name: K, value: T[K]) => {
      setValues((before) => ({ ...before, [name]: value }))
      setRefused(({ [name]: _, ...others }) => others as Partial<Record<keyof T, string>>)
    },
    leave: (name: keyof T) => setTouched((before) => new Set(before).add(name)),
    touchAll: () => setTouched(new Set(Object.keys(values))),
    /** Faults that the server found, by field. */
    refused,
    setRefused,
  }
}
