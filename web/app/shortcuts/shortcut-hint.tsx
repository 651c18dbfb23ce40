import { Kbd } from '@/components/ui/kbd'
import { isSingleKey, keyName } from './keys.ts'
import { useSingleKeys } from './single-keys.ts'

/** The key of a button, on it. Said to assistive tech by `aria-keyshortcuts`, so this is for the eyes; gone while single keys are off. */
export function ShortcutHint({ keys }: { readonly keys: string }) {
  const on = useSingleKeys()
  if (!on && isSingleKey(keys)) return null
  return <Kbd aria-hidden>{keyName(keys)}</Kbd>
}
