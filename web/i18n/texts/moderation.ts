import moderation from '../locales/en/moderation.json'
import { addEnglish } from '../add-texts.ts'

// Texts of moderation.
addEnglish({ moderation })
