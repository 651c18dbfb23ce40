import profile from '../locales/en/profile.json'
import { addEnglish } from '../add-texts.ts'

// Texts of the profile pages.
addEnglish({ profile })
