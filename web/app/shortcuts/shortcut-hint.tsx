import { Kbd } from '@/components/ui/kbd'
import { isSingleKey, keyName } from './keys.ts'
import { useSingleKeys } from './single-keys.ts'

/** Shows a button's key on it. Visual only, since assistive tech reads `aria-keyshortcuts`. Hidden while single keys are off. */
export function ShortcutHint({ keys }: { readonly keys: string }) {
  const on = useSingleKeys()
  if (!on && isSingleKey(keys)) return null
  return <Kbd aria-hidden>{keyName(keys)}</Kbd>
}
