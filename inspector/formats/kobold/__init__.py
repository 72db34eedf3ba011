"""Saved stories of KoboldAI, KoboldCpp and Kobold Lite."""
