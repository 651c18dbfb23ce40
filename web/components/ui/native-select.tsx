import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'

/** The native select, with its keyboard, type-ahead and screen reader support. */
function NativeSelect({ className, ...props }: ComponentProps<'select'>) {
  return (
    <div data-slot="native-select-wrapper" className="relative w-fit">
      <select
        data-slot="native-select"
        className={cn(
          'h-9 appearance-none w-full min-w-0 rounded-md border border-input bg-card pr-8 pl-3 text-sm text-foreground transition-colors placeholder:text-muted-foreground enabled:hover:border-muted-foreground focus-visible:-outline-offset-1 focus-visible:border-ring disabled:bg-muted disabled:text-muted-foreground aria-invalid:border-destructive',
          className,
        )}
        {...props}
      />
      <ChevronDown
        aria-hidden
        data-slot="native-select-icon"
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted-foreground select-none"
      />
    </div>
  )
}

function NativeSelectOption({ className, ...props }: ComponentProps<'option'>) {
  return <option data-slot="native-select-option" className={cn('bg-popover text-popover-foreground', className)} {...props} />
}

function NativeSelectOptGroup({ className, ...props }: ComponentProps<'optgroup'>) {
  return (
    <optgroup data-slot="native-select-optgroup" className={cn('bg-popover text-popover-foreground', className)} {...props} />
  )
}

export { NativeSelect, NativeSelectOption, NativeSelectOptGroup }
