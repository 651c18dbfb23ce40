import campaigns from '../locales/en/campaigns.json'
import palette from '../locales/en/palette.json'
import shortcuts from '../locales/en/shortcuts.json'
import status from '../locales/en/status.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the signed-in frame and its lists.
addEnglish({ campaigns, palette, shortcuts, status })
