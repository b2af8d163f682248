#!/usr/bin/env python3
"""Writes tests/nn/data/{layers,layers_expected}.safetensors with PyTorch.

The first file is the state dict of the modules below, which are written in plain PyTorch with the parameter names that
keylens::nn documents; the second holds an input for each and what PyTorch computes from it. tests/nn loads the one and
compares with the other.

    python3 -m venv /tmp/fixture
    /tmp/fixture/bin/pip install torch==1.13.1 numpy==1.26.4 safetensors
    /tmp/fixture/bin/python scripts/make-state-dict-fixture.py
"""

import pathlib

import torch
from safetensors.torch import save_file
from torch import nn

DATA = pathlib.Path(__file__).resolve().parent.parent / "tests" / "nn" / "data"


def attend(query, key, value, live=None):
    """softmax(q k^T / sqrt(d)) v on [batch, heads, len, d], and the weights."""
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    if live is not None:
        scores = scores.masked_fill(~live, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ value, weights


def split(x, heads):
    batch, length, size = x.shape
    return x.view(batch, length, heads, size // heads).transpose(1, 2)


def join(x):
    batch, heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, heads * size)


def live_keys(lengths, length):
    return (torch.arange(length) < torch.tensor(lengths)[:, None])[:, None, None, :]


class AttentionHead(nn.Module):
    def __init__(self, hidden_size, attention_head_size):
        super().__init__()
        self.query = nn.Linear(hidden_size, attention_head_size)
        self.key = nn.Linear(hidden_size, attention_head_size)
        self.value = nn.Linear(hidden_size, attention_head_size)

    def forward(self, x):
        return attend(self.query(x), self.key(x), self.value(x))


class MultiHeadAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.heads = num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.output = nn.Linear(hidden_size, hidden_size)

    def forward(self, x, live=None):
        parts = [split(part(x), self.heads) for part in (self.query, self.key, self.value)]
        out, weights = attend(*parts, live)
        return self.output(join(out)), weights


class SpatialAttention(nn.Module):
    def __init__(self, dim, heads=4, dim_head=32):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Conv2d(dim, 3 * heads * dim_head, 1, bias=False)
        self.to_out = nn.Conv2d(heads * dim_head, dim, 1)

    def forward(self, x):
        batch, _, height, width = x.shape
        parts = [part.reshape(batch, self.heads, -1, height * width).transpose(2, 3)
                 for part in self.to_qkv(x).chunk(3, 1)]
        out, _ = attend(*parts)
        return self.to_out(out.transpose(2, 3).reshape(batch, -1, height, width))


class CrossAttention(nn.Module):
    def __init__(self, dim, context_dim, heads, dim_head):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Conv2d(dim, heads * dim_head, 1, bias=False)
        self.to_k = nn.Linear(context_dim, heads * dim_head, bias=False)
        self.to_v = nn.Linear(context_dim, heads * dim_head, bias=False)
        self.to_out = nn.Conv2d(heads * dim_head, dim, 1)

    def forward(self, x, context, live):
        batch, _, height, width = x.shape
        query = self.to_q(x).reshape(batch, self.heads, -1, height * width).transpose(2, 3)
        out, weights = attend(query, split(self.to_k(context), self.heads), split(self.to_v(context), self.heads), live)
        return self.to_out(out.transpose(2, 3).reshape(batch, -1, height, width)), weights


class EncoderLayer(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(hidden_size)
        self.attention = MultiHeadAttention(hidden_size, num_heads)
        self.norm2 = nn.LayerNorm(hidden_size)
        self.linear1 = nn.Linear(hidden_size, 4 * hidden_size)
        self.linear2 = nn.Linear(4 * hidden_size, hidden_size)

    def forward(self, x, live):
        x = x + self.attention(self.norm1(x), live)[0]
        return x + self.linear2(nn.functional.gelu(self.linear1(self.norm2(x))))


class ResidualBlock(nn.Module):
    def __init__(self, in_channels, out_channels, time_dim, groups):
        super().__init__()
        self.norm1 = nn.GroupNorm(groups, in_channels)
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, padding=1)
        self.time = nn.Linear(time_dim, 2 * out_channels)
        self.norm2 = nn.GroupNorm(groups, out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1)
        self.skip = nn.Conv2d(in_channels, out_channels, 1)

    def forward(self, x, time):
        silu = nn.functional.silu
        scale, shift = self.time(time)[:, :, None, None].chunk(2, 1)
        branch = self.norm2(self.conv1(silu(self.norm1(x)))) * (1 + scale) + shift
        return self.conv2(silu(branch)) + self.skip(x)


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = AttentionHead(20, 12)
        self.multi_head = MultiHeadAttention(48, 4)
        self.spatial = SpatialAttention(8)
        self.cross = CrossAttention(8, 10, 2, 6)
        self.encoder = EncoderLayer(16, 2)
        self.residual = ResidualBlock(8, 12, 5, 4)


def main():
    torch.manual_seed(20)
    layers = Layers()
    for parameter in layers.parameters():  # norms and biases too start at random
        nn.init.normal_(parameter, parameter.mean().item(), 0.2)
    sequence, tokens, short = torch.randn(2, 7, 48), torch.randn(2, 6, 20), torch.randn(2, 5, 16)
    image, text, time = torch.randn(2, 8, 4, 5), torch.randn(2, 6, 10), torch.randn(2, 5)
    with torch.no_grad():
        head, head_weights = layers.head(tokens)
        multi_head, multi_head_weights = layers.multi_head(sequence)
        cross, cross_weights = layers.cross(image, text, live_keys([3, 6], 6))
        expected = {
            "sequence": sequence, "tokens": tokens, "short": short, "image": image, "text": text, "time": time,
            "head": head, "head_weights": head_weights,
            "multi_head": multi_head, "multi_head_weights": multi_head_weights,
            "spatial": layers.spatial(image),
            "cross": cross, "cross_weights": cross_weights,
            "encoder": layers.encoder(short, live_keys([5, 2], 5)),
            "residual": layers.residual(image, time),
        }
    DATA.mkdir(parents=True, exist_ok=True)
    save_file(layers.state_dict(), str(DATA / "layers.safetensors"), {"format": "pt"})
    save_file({name: tensor.contiguous() for name, tensor in expected.items()},
              str(DATA / "layers_expected.safetensors"))


if __name__ == "__main__":
    main()
