"""Sizes from the first bytes of media, against files that Pillow, wave and zlib make."""

import base64
import io
import struct
import wave
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.reading.media_sizes import decoded, media_size, pcm_seconds, size_of_base64
from inspector.reading.pdf_pages import pdf_pages
from tests.examples import examples

Image = pytest.importorskip("PIL.Image")
SIDE = st.integers(1, 300)


def picture(width: int, height: int, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height)).save(file, kind, **options)
    return file.getvalue()


@examples(60)
@given(SIDE, SIDE, st.sampled_from(["PNG", "GIF", "JPEG", "WEBP"]), st.booleans())
def test_the_sides_of_a_picture(width: int, height: int, kind: str, lossless: bool) -> None:
    data = picture(width, height, kind, **({"lossless": lossless} if kind == "WEBP" else {}))
    size = size_of_base64(base64.b64encode(data).decode())
    assert (size.width, size.height, size.bytes) == (width, height, len(data))
    assert size.media_type == f"image/{kind.lower()}"


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photo_on_its_side_is_as_it_is_seen(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = picture(40, 20, "JPEG", exif=exif)
    size = media_size(data, len(data), lambda: data)
    assert (size.width, size.height) == ((20, 40) if orientation >= 5 else (40, 20))


def test_webp_with_transparency_and_more_names_its_canvas() -> None:
    file = io.BytesIO()
    frames = [Image.new("RGBA", (33, 44), (n, 0, 0, 9)) for n in range(2)]
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:])
    size = media_size(file.getvalue(), 1, file.getvalue)
    assert (size.width, size.height) == (33, 44)


@examples(60)
@given(st.binary(max_size=400), st.sampled_from(["plain", "url", "broken"]))
def test_base64_in_any_spelling_is_the_same_data(data: bytes, how: str) -> None:
    text = (base64.urlsafe_b64encode if how == "url" else base64.b64encode)(data).decode()
    written = "\n".join(text[n : n + 60] for n in range(0, len(text), 60)) if how == "broken" else text
    assert decoded(written) == data
    assert size_of_base64(written).bytes == len(data)
    assert decoded(f"data:x,{written}", 7, 5) == data[:5]


@examples(200)
@given(st.sampled_from([picture(9, 7, kind) for kind in ("PNG", "GIF", "JPEG", "WEBP")]), st.data())
def test_damaged_headers_never_raise(data: bytes, draw: st.DataObject) -> None:
    cut = data[: draw.draw(st.integers(0, len(data)))]
    place = draw.draw(st.integers(0, max(0, len(cut) - 1)))
    odd = cut[:place] + bytes([draw.draw(st.integers(0, 255))]) + cut[place + 1 :]
    size = media_size(odd, len(odd), lambda: odd)
    assert size.width is None or size.width >= 0


def pdf(pages: int, packed: bool = False, nested: bool = False) -> bytes:
    leaves = [f"<< /Type /Page /Parent 2 0 R /N {number} >>" for number in range(pages)]
    tree = [f"<< /Type /Pages /Kids [9 0 R] /Count {pages} >>"]
    if nested:
        tree.append(f"<< /Count {pages} /Parent 2 0 R /Type /Pages /Kids [] >>")
    objects = [*tree, *leaves]
    if not packed:
        body = "\n".join(f"{n + 2} 0 obj\n{one}\nendobj" for n, one in enumerate(objects))
        return f"%PDF-1.4\n{body}\n%%EOF".encode()
    stream = zlib.compress(" ".join(objects).encode())
    head = f"%PDF-1.5\n1 0 obj\n<< /Type /ObjStm /Filter /FlateDecode /Length {len(stream)} >>\nstream\n".encode()
    return head + stream + b"\nendstream\nendobj\n%%EOF"


@examples(40)
@given(st.integers(1, 200), st.booleans(), st.booleans())
def test_pages_of_an_unpacked_and_of_a_packed_pdf(pages: int, packed: bool, nested: bool) -> None:
    assert pdf_pages(pdf(pages, packed, nested)) == pages


def test_pages_that_cannot_be_read_are_unknown() -> None:
    sealed = pdf(3, packed=True).replace(b"stream\nx", b"stream\ny")
    assert pdf_pages(sealed) is None
    assert pdf_pages(b"%PDF-1.4\n%%EOF") is None
    assert pdf_pages(b"%PDF-1.6\n1 0 obj\n<</Linearized 1/L 9/O 3/N 12/T 8>>\nendobj") == 12


@examples(20)
@given(st.integers(1, 5), st.sampled_from([8_000, 44_100]), st.integers(1, 2))
def test_seconds_of_a_wave_file(seconds: int, rate: int, channels: int) -> None:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((channels, 2, rate, 0, "NONE", ""))
        sound.writeframes(b"\0\0" * rate * seconds * channels)
    data = file.getvalue()
    assert media_size(data[:64], len(data), lambda: data).seconds == pytest.approx(seconds)


def test_seconds_of_mp3_by_bit_rate_and_by_frames() -> None:
    frame = b"\xff\xfb\x90\x00"  # MPEG 1, layer III, 128 kbit/s, 44,100 Hz
    assert media_size(frame + bytes(96), 16_000, bytes).seconds == pytest.approx(1.0)
    tagged = b"ID3\x04\x00\x00\x00\x00\x00\x0a" + bytes(10) + frame + bytes(32) + b"Xing" + struct.pack(">II", 1, 383)
    assert media_size(tagged, 99_999, bytes).seconds == pytest.approx(383 * 1152 / 44_100)


@pytest.mark.parametrize(("brand", "kind"), [(b"isom", "video/mp4"), (b"M4A ", "audio/mp4")])
def test_seconds_of_mp4_by_its_time_scale(brand: bytes, kind: str) -> None:
    film = (
        b"\0\0\0\x18ftyp"
        + brand
        + bytes(12)
        + b"\0\0\0\x6cmvhd"
        + struct.pack(">IIIII", 0, 0, 0, 600, 3_000)
        + bytes(80)
    )
    size = media_size(film, len(film), bytes)
    assert (size.media_type, size.seconds) == (kind, 5.0)


@pytest.mark.parametrize(
    ("media_type", "seconds"),
    [("audio/pcm;rate=24000", 1), ("audio/L16;rate=16000", 1.5), ("pcm16", 1), ("audio/mpeg", None)],
)
def test_raw_sound_lasts_as_long_as_its_rate_says(media_type: str, seconds: float | None) -> None:
    assert pcm_seconds(media_type, 48_000) == seconds
