import { describe, expect, it } from 'vitest'
import { cn } from './utils.ts'

describe('cn', () => {
  it('keeps the later of two utilities that set the same property', () => {
    expect(cn('h-9 px-3.5 text-sm text-foreground', 'h-8 text-xs', false, undefined)).toBe('px-3.5 text-foreground h-8 text-xs')
    expect(cn('px-6 pt-3', 'p-2')).toBe('p-2')
    expect(cn('hover:bg-muted bg-card', 'bg-popover')).toBe('hover:bg-muted bg-popover')
  })

  it('distinguishes the text sizes of the theme from text colours', () => {
    expect(cn('text-[0.8125rem]/4.5 text-muted-foreground', 'text-xs')).toBe('text-muted-foreground text-xs')
    expect(cn('text-sm text-primary-ink', 'text-[0.8125rem]/4.5')).toBe('text-primary-ink text-[0.8125rem]/4.5')
  })
})
