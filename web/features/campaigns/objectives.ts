import { AudioLines, Megaphone, MousePointerClick, ShoppingBag } from 'lucide-react'

/** What a campaign can be for; the objective decides which fields its form has. Audio where the white-label offers it. */
const OBJECTIVES = [
  { key: 'awareness', type: 'awareness', Icon: Megaphone },
  { key: 'consideration', type: 'consideration', Icon: MousePointerClick },
  { key: 'conversion', type: 'conversion', Icon: ShoppingBag },
  { key: 'audio', type: 'other', Icon: AudioLines },
] as const

export const objectives = ({ audio }: { readonly audio: boolean }) => OBJECTIVES.filter(({ key }) => audio || key !== 'audio')
