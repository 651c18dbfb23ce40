import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'onChange'> & { readonly onChange: (checked: boolean) => void }

// A native checkbox tells its state by itself.
const SWITCH = { type: 'checkbox', role: 'switch' } as const

/** On or off, at once. A checkbox that says it is a switch: forms, labels, keys and readers know it as it is. */
export function Switch({ className, onChange, ...props }: SwitchProps) {
  return (
    <input
      {...SWITCH}
      data-slot="switch"
      onChange={(event) => onChange(event.target.checked)}
      className={cn(
        "bg-input checked:bg-primary relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-5 before:rounded-full before:bg-white before:shadow-xs before:transition-transform before:content-[''] checked:before:translate-x-4 disabled:cursor-auto disabled:opacity-55 forced-colors:appearance-auto",
        className,
      )}
      {...props}
    />
  )
}
