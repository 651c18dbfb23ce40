import { useWhitelabel } from '@/session/session-queries'
import { cn } from '@/lib/utils'

/** The white-label's own logo, or its initial beside its name. */
export function BrandMark({ className }: { readonly className?: string }) {
  const { name, logo } = useWhitelabel()
  return (
    <div className={cn('flex items-center gap-2.5', className)}>
      {logo === null ? (
        <>
          <span
            aria-hidden
            className="bg-primary text-primary-foreground grid size-7 place-items-center rounded-lg font-semibold"
          >
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className="truncate text-[15px] font-semibold tracking-[-0.01em]">{name}</span>
        </>
      ) : (
        <img src={logo} alt={name} className="h-8 max-w-40 object-contain" />
      )}
    </div>
  )
}
