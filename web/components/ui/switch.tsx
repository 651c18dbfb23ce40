import { Switch as SwitchPrimitive } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'

function Switch({ className, ...props }: ComponentProps<typeof SwitchPrimitive.Root>) {
  return (
    <SwitchPrimitive.Root
      data-slot="switch"
      className={cn(
        'peer inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-transparent bg-input px-px transition-colors disabled:opacity-55 data-[state=checked]:bg-primary forced-colors:border-current',
        className,
      )}
      {...props}
    >
      <SwitchPrimitive.Thumb
        data-slot="switch-thumb"
        className="pointer-events-none block size-5 rounded-full bg-white shadow-xs transition-transform data-[state=checked]:translate-x-4 forced-colors:bg-[ButtonText]"
      />
    </SwitchPrimitive.Root>
  )
}

export { Switch }
